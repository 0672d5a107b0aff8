"""Validates a JSON file, or with --lines each line of a file, against a JSON schema.

With --closed, an object may have only the keys that the schema lists. Readers must ignore further keys,
but the tests require that the schema lists every key that the program writes. Exit status: 0 valid; 1
invalid, with the errors; 3 a Python package is not installed."""

import argparse
import json
import sys
from pathlib import Path

# The folder to which scripts/install-dependencies installs the packages of tests/requirements.txt.
PACKAGES = Path(__file__).resolve().parents[2] / ".python"
sys.path.insert(0, str(PACKAGES))


def closed(schema):
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(part) for key, part in schema.items()}
    if "properties" in parts and "additionalProperties" not in parts:
        parts["additionalProperties"] = False
    return parts


def named_schema(name):
    """The schema of SARIF 2.1.0, of a Job of Kubernetes, or in a file. Raises FileNotFoundError."""
    if name == "SARIF":
        return json.loads((PACKAGES / "sarif-schema.json").read_text())
    if name == "KUBERNETES":
        folder = PACKAGES / "kubernetes_validate" / "kubernetes-json-schema" / "v1.33.0-local-strict"
        definitions = json.loads((folder / "_definitions.json").read_text())["$defs"]
        return {"$defs": definitions, "$ref": "#/$defs/io.k8s.api.batch.v1.Job"}
    return json.loads(Path(name).read_text())


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--lines", action="store_true")
    arguments.add_argument("--closed", action="store_true")
    arguments.add_argument("schema", help="a file, SARIF for the one of SARIF 2.1.0, or KUBERNETES for a Job")
    arguments.add_argument("file", type=Path)
    options = arguments.parse_args()
    try:
        import jsonschema
    except ImportError:
        print("the Python package jsonschema is not installed")
        return 3
    try:
        schema = named_schema(options.schema)
    except FileNotFoundError as error:
        print(f"the schema {error.filename} is not installed")
        return 3
    if options.closed:
        schema = closed(schema)
    checker = jsonschema.validators.validator_for(schema)
    if options.schema != "KUBERNETES":  # 1 MB of definitions, which take a second
        checker.check_schema(schema)
    validator = checker(schema, format_checker=checker.FORMAT_CHECKER)
    text = options.file.read_text()
    documents = text.splitlines() if options.lines else [text]
    wrong = 0 if documents else 1
    for number, document in enumerate(documents, 1):
        error = jsonschema.exceptions.best_match(validator.iter_errors(json.loads(document)))
        if error:
            wrong += 1
            print(f"{options.file}: document {number}: {error.json_path}: {error.message[:2000]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
