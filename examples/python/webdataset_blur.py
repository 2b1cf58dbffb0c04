"""Blurs the pictures of WebDataset's tar archives, and copies all other members.

    python webdataset_blur.py 'photos-{000..099}.tar' blurred-%03d.tar

A process does all archives in turn. To use several machines, give each of them some of the archives.
"""

import sys

import webdataset

import frost

source, target = sys.argv[1:]
samples = webdataset.WebDataset(source, shardshuffle=False).map(frost.webdataset.Blur("jpg;jpeg;png;webp", sigma=8))
# The members are bytes already, so the writer encodes nothing.
with webdataset.ShardWriter(target, maxcount=10_000, encoder=False, verbose=0) as writer:
    for sample in samples:
        writer.write(sample)
        if "error" in sample:
            print(sample["__key__"], sample["error"].decode())
