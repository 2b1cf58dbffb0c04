"""Blurs the pictures of a folder with Daft and writes them to Parquet, with the reasons for those that could not be blurred.

    python daft_blur.py 'photos/*.jpg' blurred.parquet/
"""

import sys

import daft

import frost

source, target = sys.argv[1:]
photos = daft.from_glob_path(source).select("path")
photos = photos.with_column("image", photos["path"].download(on_error="null"))
frost.daft.blur(photos, "image", sigma=8).write_parquet(target, write_mode="overwrite")
print(daft.read_parquet(f"{target}/*.parquet").where(daft.col("error").not_null()).select("path", "error").to_pylist())
