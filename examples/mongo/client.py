"""PyMongo against the server of this example: client.py [PORT]."""

import sys

from pymongo import MongoClient
from pymongo.errors import OperationFailure

port = int(sys.argv[1]) if len(sys.argv) > 1 else 27017
with MongoClient("127.0.0.1", port, serverSelectionTimeoutMS=5000) as client:
    fruits = client.larder.fruits
    added = fruits.insert_many([{"name": "fig", "n": 5}, {"name": "plum", "n": 7}, {"name": "quince", "n": 2}])
    print("inserted", len(added.inserted_ids))
    plum = fruits.find_one({"name": "plum"})
    print(f"{plum['name']}: {plum['n']} in the larder")
    print([fruit["name"] for fruit in fruits.find()])
    try:
        fruits.rename("vegetables")
    except OperationFailure as failure:
        print(f"{failure.details['codeName']}: {failure.details['errmsg']}")
