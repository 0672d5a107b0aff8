#include "cli/help/completion_script.hpp"

namespace warpcheck::cli {
namespace {

constexpr const char* kBash = R"shell(# bash completion for warpcheck
_warpcheck() {
  local word=${COMP_WORDS[COMP_CWORD]} line
  [[ $word == = ]] && word=
  COMPREPLY=()
  while IFS= read -r line; do
    line=${line%%$'\t'*}
    case $line in
      :files | :folders)
        compopt -o filenames 2>/dev/null
        [[ $line == :files ]] && line=-f || line=-d
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$line" -- "$word")
        ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _warpcheck warpcheck
)shell";

constexpr const char* kZsh = R"shell(#compdef warpcheck
_warpcheck() {
  local line files= tab=$'\t'
  local -a candidates
  for line in ${(f)"$($words[1] complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
    case $line in
      :files | :folders) files=$line ;;
      *) candidates+=("${${line//:/\\:}/$tab/:}") ;;
    esac
  done
  (( $#candidates )) && _describe warpcheck candidates
  case $files in
    :files) _files ;;
    :folders) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _warpcheck ]]; then
  _warpcheck "$@"
else
  compdef _warpcheck warpcheck
fi
)shell";

constexpr const char* kFish = R"shell(# fish completion for warpcheck
function __warpcheck_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] "$word" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path $word
            case :folders
                __fish_complete_directories $word
            case '*'
                echo $line
        end
    end
end
complete -c warpcheck -f -a '(__warpcheck_complete)'
)shell";

}  // namespace

std::string completion_script(Shell shell) {
  switch (shell) {
    case Shell::bash:
      return kBash;
    case Shell::zsh:
      return kZsh;
    case Shell::fish:
      return kFish;
  }
  return "";
}

}  // namespace warpcheck::cli
