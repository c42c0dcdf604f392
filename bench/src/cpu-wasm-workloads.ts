/**
 * Other workloads of the CPU backend, whole calls on one thread, beside the loops that one would write in JavaScript.
 * Each contest has a process of its own, where the JavaScript loop is compiled for it alone.
 *
 *   npx tsx bench/src/cpu-wasm-workloads.ts [points] [rounds]
 */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import Table from 'cli-table3'
import { backends, gaussian, matrix, nearest, pairTerm, potentials, reduce, type Workload } from 'manybody'
import { machine } from './node/machine.ts'

interface Contest {
  readonly workload: Workload
  /** The same in JavaScript: what a pair adds to the result of target i. */
  readonly javascript: () => unknown
}

const [count = 2048, rounds = 15] = process.argv.slice(2, 4).map(Number)
const only = process.argv[4]
const position = Float32Array.from({ length: 3 * count }, (_, n) => (n * 0.6180339887498949) % 1)
const weight = new Float32Array(count).fill(1)

/** Calls `pair` with the squared distance of all pairs but a point with itself. */
function pairs(pair: (i: number, j: number, r2: number) => void): void {
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [position[3 * i] as number, position[3 * i + 1] as number, position[3 * i + 2] as number]
    for (let j = 0; j < count; j++) {
      if (j === i) continue
      const dx = (position[3 * j] as number) - x
      const dy = (position[3 * j + 1] as number) - y
      const dz = (position[3 * j + 2] as number) - z
      pair(i, j, dx * dx + dy * dy + dz * dz)
    }
  }
}

const contests: Readonly<Record<string, Contest>> = {
  argmin: {
    workload: reduce('argmin', pairTerm('r2')()),
    javascript() {
      const least = new Float32Array(count).fill(Number.POSITIVE_INFINITY)
      const index = new Int32Array(count).fill(-1)
      pairs((i, j, r2) => {
        if (r2 >= (least[i] as number)) return
        least[i] = r2
        index[i] = j
      })
      return index
    },
  },
  logsumexp: {
    workload: reduce('logsumexp', pairTerm('-r2')()),
    javascript() {
      const largest = new Float64Array(count).fill(Number.NEGATIVE_INFINITY)
      const total = new Float64Array(count)
      pairs((i, _, r2) => {
        const before = largest[i] as number
        if (-r2 > before) {
          total[i] = (total[i] as number) * Math.exp(before + r2) + 1
          largest[i] = -r2
        } else total[i] = (total[i] as number) + Math.exp(-r2 - before)
      })
      return largest.map((value, i) => value + Math.log(total[i] as number))
    },
  },
  'Gaussian potential': {
    workload: potentials(gaussian()),
    javascript() {
      const potential = new Float32Array(count)
      pairs((i, j, r2) => {
        potential[i] = (potential[i] as number) + (weight[j] as number) * Math.exp(-r2 / 2)
      })
      return potential
    },
  },
  'matrix of exp(-r2)': {
    workload: matrix(pairTerm('exp(-r2)')()),
    javascript() {
      const value = new Float32Array(count * count)
      pairs((i, j, r2) => {
        value[i * count + j] = Math.exp(-r2)
      })
      return value
    },
  },
  'nearest(8)': {
    workload: nearest(8),
    javascript() {
      const distance = new Float32Array(8 * count).fill(Number.POSITIVE_INFINITY)
      const index = new Int32Array(8 * count).fill(-1)
      pairs((i, j, r2) => {
        let place = 8 * i + 7
        if (r2 >= (distance[place] as number)) return
        for (; place > 8 * i && (distance[place - 1] as number) > r2; place--) {
          distance[place] = distance[place - 1] as number
          index[place] = index[place - 1] as number
        }
        distance[place] = r2
        index[place] = j
      })
      return index
    },
  },
}

if (only === undefined) everyContest()
else console.log(JSON.stringify(await contest(only)))

function everyContest(): void {
  const { cpu, cores, load } = machine()
  console.log(`${cpu}, ${cores} cores, Node ${process.version}, load ${load}; N = ${count}, best of ${rounds} rounds\n`)
  const table = new Table({
    head: ['workload', 'ran', 'JavaScript, ms', 'WebAssembly, ms', 'ratio'],
    colAligns: ['left', 'left', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  })
  for (const name of Object.keys(contests)) {
    const args = [...process.execArgv, fileURLToPath(import.meta.url), `${count}`, `${rounds}`, name]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (!stdout) throw new Error(`bench: ${name} failed: ${stderr}`)
    table.push([name, ...(JSON.parse(stdout) as string[])])
  }
  console.log(table.toString())
}

/** The cells of one row. */
async function contest(name: string): Promise<readonly string[]> {
  const { workload, javascript } = contests[name] as Contest
  const device = await backends()
    .find((backend) => backend.name === 'cpu-wasm')
    ?.open({ threads: 1 })
  if (!device) throw new Error('bench: the CPU backend is not there')
  const set = { count, arrays: { position, weight } }
  const shape = { dimension: 3, targets: count, sources: count, sameSet: true, vectors: ['position'] } as const
  const program = await device.prepare(workload, shape)
  const parameters = workload.loop === 'pair' ? workload.law.parameters : {}
  let [slow, fast] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    javascript()
    const middle = performance.now()
    await program.run({ targets: set, sources: set, parameters })
    slow = Math.min(slow, middle - start)
    fast = Math.min(fast, performance.now() - middle)
  }
  return [program.report.variant, slow.toFixed(1), fast.toFixed(2), (slow / fast).toFixed(1)]
}
