"""Neighbours by SciPy's cKDTree. Reads points from standard input, then answers requests until it ends.

usage: serve.py <nearest|count|list> <points> <dimension> <k or radius> <workers>
input: float64, point after point
then, for each request of one byte:
  'r'  builds the tree and asks for all points; answers its milliseconds as one float64
  'c'  answers how many neighbours each point has, in float64
  'o'  answers the distances of the nearest k, 'i' indices of neighbours, point after point, in float64
A point is not its own neighbour.
"""

import sys
import time

import numpy
from scipy.spatial import cKDTree

task, points, dimension, reach, workers = sys.argv[1:]
points, dimension, reach, workers = int(points), int(dimension), float(reach), int(workers)
source, answers = sys.stdin.buffer, sys.stdout.buffer
positions = numpy.frombuffer(source.read(8 * points * dimension)).reshape(points, dimension)


def found():
    tree = cKDTree(positions)
    if task == "nearest":
        # The nearest is the point itself.
        return tree.query(positions, k=int(reach) + 1, workers=workers)
    return tree.query_ball_point(positions, reach, workers=workers, return_length=task == "count")


def numbers(request):
    if task == "nearest":
        distances, indices = result
        return (distances if request == b"o" else indices)[:, 1:].ravel()
    if task == "count":
        return result - 1
    if request == b"c":
        return numpy.fromiter((len(one) - 1 for one in result), float, points)
    return numpy.concatenate([numpy.setdiff1d(one, [point]) for point, one in enumerate(result)])


while request := source.read(1):
    if request == b"r":
        start = time.perf_counter()
        result = found()
        answer = [1e3 * (time.perf_counter() - start)]
    else:
        answer = numbers(request)
    answers.write(numpy.asarray(answer, dtype=float).tobytes())
    answers.flush()
