"""PyPI `boto3` reads and writes objects, byte for byte.

    s3_object.py list BUCKET [PREFIX]
    s3_object.py read BUCKET KEY [FILE|-]
    s3_object.py stat BUCKET KEY
    s3_object.py write BUCKET KEY [FILE|- [ATTRIBUTES]]
    s3_object.py uploads BUCKET
    s3_object.py race BUCKET KEY N
    s3_object.py flood BUCKET N
    s3_object.py check BUCKET

Endpoint, region and keys are those of the environment: AWS_ENDPOINT_URL_S3, AWS_DEFAULT_REGION,
AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY.

`list` prints one JSON string per line, since keys may hold line breaks. `read` writes to stdout
and `write` reads from stdin unless there is a FILE; `write` creates the bucket if it is missing,
overwrites, and sends more than 8 MiB in parts. ATTRIBUTES are JSON, as `stat` prints them:
`contentType` and `metadata`. `stat` adds `size` and `etag`. `uploads` prints the keys of what was
not finished.

`race` puts an object N times at once, each only if it is as it was before, and once more each only
if it is not there; it prints how many got which status, and which put is there, for both. `flood`
puts N objects, 32 at a time, and prints each key that was taken. `check` prints each key, and fails
where content does not have the ETag that comes with it.

Nothing is tried twice. Exits 1 with the reason on stderr, 3 when there is no such bucket or
object.
"""

import hashlib
import json
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from boto3.exceptions import Boto3Error

MIB = 1024 * 1024


def client():
    addressing = {"addressing_style": "path"}
    config = Config(retries={"total_max_attempts": 1}, s3=addressing, max_pool_connections=64)
    return boto3.client("s3", config=config)


def status_of(error):
    return error.response["ResponseMetadata"]["HTTPStatusCode"]


def keys_in(s3, bucket, prefix=""):
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
    return [found["Key"] for page in pages for found in page.get("Contents", [])]


def show(value):
    print(json.dumps(value, ensure_ascii=False), flush=True)


def read(s3, bucket, key, file):
    data = s3.get_object(Bucket=bucket, Key=key)["Body"].read()
    if file == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        Path(file).write_bytes(data)


def stat(s3, bucket, key):
    found = s3.head_object(Bucket=bucket, Key=key)
    attributes = {"contentType": found.get("ContentType"), "metadata": found["Metadata"]}
    show(attributes | {"size": found["ContentLength"], "etag": found["ETag"]})


def write(s3, bucket, key, file, attributes):
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    attributes = json.loads(attributes)
    extra = {}
    if attributes.get("contentType"):
        extra["ContentType"] = attributes["contentType"]
    if attributes.get("metadata"):
        extra["Metadata"] = attributes["metadata"]
    create(s3, bucket)
    parts = TransferConfig(multipart_threshold=8 * MIB, multipart_chunksize=8 * MIB)
    s3.upload_fileobj(BytesIO(data), bucket, key, ExtraArgs=extra, Config=parts)


def create(s3, bucket):
    try:
        s3.create_bucket(Bucket=bucket)
    except (s3.exceptions.BucketAlreadyOwnedByYou, s3.exceptions.BucketAlreadyExists):
        pass


def race(s3, bucket, key, n):
    def put(number, **condition):
        try:
            s3.put_object(Bucket=bucket, Key=key, Body=str(number).encode(), **condition)
            return 200
        except ClientError as error:
            return status_of(error)

    create(s3, bucket)
    etag = s3.put_object(Bucket=bucket, Key=key, Body=b"before")["ETag"]
    for condition in ({"IfMatch": etag}, {"IfNoneMatch": "*"}):
        if "IfNoneMatch" in condition:
            s3.delete_object(Bucket=bucket, Key=key)
        with ThreadPoolExecutor(n) as threads:
            statuses = list(threads.map(lambda number: put(number, **condition), range(n)))
        content = s3.get_object(Bucket=bucket, Key=key)["Body"].read().decode()
        won = [str(number) for number, status in enumerate(statuses) if status == 200]
        show({"statuses": Counter(statuses), "won": won, "content": content})


def flood(s3, bucket, n):
    def put(number):
        key = f"{number}"
        try:
            s3.put_object(Bucket=bucket, Key=key, Body=key.encode() * 10_000)
            return key
        except (ClientError, BotoCoreError):
            return None

    create(s3, bucket)
    with ThreadPoolExecutor(32) as threads:
        for key in threads.map(put, range(n)):
            if key is not None:
                show(key)


def check(s3, bucket):
    for key in keys_in(s3, bucket):
        found = s3.get_object(Bucket=bucket, Key=key)
        etag = hashlib.md5(found["Body"].read()).hexdigest()
        if found["ETag"] != f'"{etag}"':
            sys.exit(f"s3_object: `{key}` has the ETag {found['ETag']} and not {etag}")
        show(key)


def main():
    s3 = client()
    try:
        match sys.argv[1:]:
            case ["list", bucket, *prefix] if len(prefix) <= 1:
                for key in keys_in(s3, bucket, *prefix):
                    show(key)
            case ["read", bucket, key, *file] if len(file) <= 1:
                read(s3, bucket, key, *(file or ["-"]))
            case ["stat", bucket, key]:
                stat(s3, bucket, key)
            case ["write", bucket, key]:
                write(s3, bucket, key, "-", "{}")
            case ["write", bucket, key, file, *attributes] if len(attributes) <= 1:
                write(s3, bucket, key, file, *(attributes or ["{}"]))
            case ["uploads", bucket]:
                for upload in s3.list_multipart_uploads(Bucket=bucket).get("Uploads", []):
                    show(upload["Key"])
            case ["race", bucket, key, n]:
                race(s3, bucket, key, int(n))
            case ["flood", bucket, n]:
                flood(s3, bucket, int(n))
            case ["check", bucket]:
                check(s3, bucket)
            case _:
                print(__doc__, file=sys.stderr)
                sys.exit(2)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        print(f"s3_object: {status_of(error)} {code}", file=sys.stderr)
        sys.exit(3 if status_of(error) == 404 else 1)
    except (Boto3Error, BotoCoreError, OSError, ValueError) as error:
        sys.exit(f"s3_object: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
