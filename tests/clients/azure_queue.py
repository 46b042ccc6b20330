"""PyPI `azure-storage-queue` sends and takes messages.

    azure_queue.py send CONNECTION_STRING QUEUE [TEXT]
    azure_queue.py take CONNECTION_STRING QUEUE

`send` creates the queue if it is missing, and sends stdin unless there is a TEXT. `take` prints all
messages as JSON strings, one per line, and removes them. Texts are in base 64 on the way, as Azure
Functions writes and reads them. Exits 1 with the reason on stderr, 3 when there is no such queue.
"""

import json
import sys

from azure.core.exceptions import AzureError, ResourceExistsError, ResourceNotFoundError
from azure.storage.queue import QueueClient, TextBase64DecodePolicy, TextBase64EncodePolicy


def queue_of(connection, name):
    return QueueClient.from_connection_string(
        connection,
        name,
        message_encode_policy=TextBase64EncodePolicy(),
        message_decode_policy=TextBase64DecodePolicy(),
        # A service on loopback that does not answer at once will not answer at all.
        retry_total=0,
    )


def send(queue, text):
    try:
        queue.create_queue()
    except ResourceExistsError:
        pass
    queue.send_message(text)


def take(queue):
    for message in queue.receive_messages():
        print(json.dumps(message.content, ensure_ascii=False))
        queue.delete_message(message)


def main():
    try:
        match sys.argv[1:]:
            case ["send", connection, name, *text] if len(text) <= 1:
                send(queue_of(connection, name), *(text or [sys.stdin.read()]))
            case ["take", connection, name]:
                take(queue_of(connection, name))
            case _:
                print(__doc__, file=sys.stderr)
                sys.exit(2)
    except ResourceNotFoundError as error:
        print(f"azure_queue: {error.error_code}", file=sys.stderr)
        sys.exit(3)
    except (AzureError, OSError, ValueError) as error:
        sys.exit(f"azure_queue: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
