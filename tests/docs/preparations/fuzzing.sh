cp "${BASH_SOURCE%/*}/mine.cu" .
