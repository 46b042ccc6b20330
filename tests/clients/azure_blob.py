"""PyPI `azure-storage-blob` reads and writes blobs, byte for byte.

    azure_blob.py list CONNECTION_STRING CONTAINER
    azure_blob.py read CONNECTION_STRING CONTAINER NAME [FILE|-]
    azure_blob.py stat CONNECTION_STRING CONTAINER NAME
    azure_blob.py write CONNECTION_STRING CONTAINER NAME [FILE|- [ATTRIBUTES]]

`list` prints one JSON string per line, since names may hold line breaks. `read` writes to stdout
and `write` reads from stdin unless there is a FILE; `write` creates the container if it is
missing and overwrites. ATTRIBUTES are JSON, as `stat` prints them: `contentType` and `metadata`;
`stat` adds `size` and `etag`. Exits 1 with the reason on stderr, 3 when there is no such container
or blob.
"""

import json
import sys
from pathlib import Path

from azure.core.exceptions import AzureError, ResourceExistsError, ResourceNotFoundError
from azure.storage.blob import BlobServiceClient, ContentSettings

# The SDK does not know the short form that Azure Functions understands. Account and key are the
# ones that every emulator has, published by Microsoft.
DEVELOPMENT_STORAGE = (
    "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;"
    "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;"
    "BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;"
)


def container_of(connection, name):
    if connection == "UseDevelopmentStorage=true":
        connection = DEVELOPMENT_STORAGE
    # A service on loopback that does not answer at once will not answer at all.
    service = BlobServiceClient.from_connection_string(connection, retry_total=0)
    return service.get_container_client(container=name)


def list_names(container):
    for name in container.list_blob_names():
        print(json.dumps(name, ensure_ascii=False))


def read(container, name, file):
    data = container.get_blob_client(name).download_blob().readall()
    if file == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        Path(file).write_bytes(data)


def stat(container, name):
    found = container.get_blob_client(name).get_blob_properties()
    attributes = {"contentType": found.content_settings.content_type, "metadata": found.metadata}
    attributes |= {"size": found.size, "etag": found.etag}
    print(json.dumps(attributes, ensure_ascii=False))


def write(container, name, file, attributes):
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    try:
        container.create_container()
    except ResourceExistsError:
        pass
    attributes = json.loads(attributes)
    settings = ContentSettings(content_type=attributes.get("contentType"))
    container.get_blob_client(name).upload_blob(
        data, overwrite=True, content_settings=settings, metadata=attributes.get("metadata")
    )


def main():
    try:
        match sys.argv[1:]:
            case ["list", connection, container]:
                list_names(container_of(connection, container))
            case ["read", connection, container, name, *file] if len(file) <= 1:
                read(container_of(connection, container), name, *(file or ["-"]))
            case ["stat", connection, container, name]:
                stat(container_of(connection, container), name)
            case ["write", connection, container, name]:
                write(container_of(connection, container), name, "-", "{}")
            case ["write", connection, container, name, file, *attributes] if len(attributes) <= 1:
                write(container_of(connection, container), name, file, *(attributes or ["{}"]))
            case _:
                print(__doc__, file=sys.stderr)
                sys.exit(2)
    except ResourceNotFoundError as error:
        print(f"azure_blob: {error.error_code}", file=sys.stderr)
        sys.exit(3)
    except (AzureError, OSError, ValueError) as error:
        sys.exit(f"azure_blob: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
