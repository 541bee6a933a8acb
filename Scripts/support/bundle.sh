# Sourced by the scripts that make an artifact bundle of the generator.

# write_bundle PROGRAM FOLDER: writes FOLDER/chordata-generate.artifactbundle with a built generator. A program that
# has not changed keeps its time, so that builds do not run it again.
write_bundle() {
    local bundle=$2/chordata-generate.artifactbundle triple
    triple=$(swiftc -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["unversionedTriple"])')
    mkdir -p "$bundle/bin"
    cmp -s "$1" "$bundle/bin/chordata-generate" || cp "$1" "$bundle/bin/chordata-generate"
    cat >"$bundle/info.json" <<JSON
{
    "schemaVersion": "1.0",
    "artifacts": {
        "chordata-generate": {
            "version": "1.0.0",
            "type": "executable",
            "variants": [{"path": "bin/chordata-generate", "supportedTriples": ["$triple"]}]
        }
    }
}
JSON
}
