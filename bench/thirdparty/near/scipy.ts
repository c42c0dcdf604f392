/**
 * SciPy's cKDTree as a contender, if there is a Python with SciPy. Its process builds and queries the tree on its own clock.
 */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PairWorkload } from '@manybody/core'
import type { Contender, Problem, Results } from '../../src/contender.ts'
import { pointsOf } from '../points.ts'
import { rivalHere } from '../processor.ts'
import { ServingProcess } from '../serving-process.ts'

const program = fileURLToPath(new URL('serve.py', import.meta.url))

/** The queries of `serve.py`, by reduction. */
const questions: Readonly<Record<string, string>> = { smallest: 'nearest', count: 'count', list: 'list' }

/** The first Python with SciPy. On Debian, it comes from the package `python3-scipy`. */
function pythonWithScipy(): { readonly command: string; readonly version: string } | undefined {
  for (const command of ['python3', '/usr/bin/python3', 'python']) {
    const { status, stdout } = spawnSync(command, ['-c', 'import scipy; print(scipy.__version__)'], {
      encoding: 'utf8',
    })
    if (status === 0) return { command, version: stdout.trim() }
  }
  return undefined
}

/** @throws Error in `prepare` if SciPy is missing or has no such query */
export function scipy(threads: number): Contender {
  const name = 'cKDTree'
  return {
    name: `${name}, ${threads}`,
    rival: true,
    about: { name, precision: 'f64', threads },
    async prepare(problem) {
      const workload = problem.workload as PairWorkload
      const question = questions[workload.reduction]
      if (question === undefined) throw new Error(`a tree does not compute ${problem.task}`)
      const python = pythonWithScipy()
      if (!python)
        throw new Error('SciPy is not installed: install the Debian package python3-scipy, or scipy with pip')
      const { count, position } = pointsOf(problem, 'f64')
      const reach = workload.k ?? workload.domain.cutoff?.distance
      const args = [program, question, count, problem.dimension, reach, threads].map(String)
      const running = new ServingProcess(python.command, args, [position])
      return {
        who: rivalHere({ name, precision: 'f64', variant: `SciPy ${python.version}`, threads }),
        accuracy: { accumulation: 'f64', precision: 'f64' },
        ownClock: true,
        async run() {
          return { upload: 0, compute: await running.time(), readback: 0 }
        },
        results: () => resultsOf(running, problem, workload),
        dispose: () => running.end(),
      }
    },
  }
}

async function resultsOf(running: ServingProcess, { targets }: Problem, workload: PairWorkload): Promise<Results> {
  const { k = 0, reduction } = workload
  if (reduction === 'smallest')
    return {
      distance: await running.numbers('o', targets * k),
      index: await running.numbers('i', targets * k),
    }
  const count = await running.numbers('c', targets)
  if (reduction === 'count') return { count }
  const offsets = new Uint32Array(targets + 1)
  for (const [n, length] of count.entries()) offsets[n + 1] = (offsets[n] as number) + length
  return { offsets, index: Int32Array.from(await running.numbers('i', offsets[targets] as number)) }
}
