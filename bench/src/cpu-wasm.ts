/**
 * The variants of the CPU backend beside plain JavaScript and, where there is a C compiler, beside vector intrinsics:
 * softened gravity, every contender once a round, medians and their ratio to JavaScript.
 *
 *   npx tsx bench/src/cpu-wasm.ts [points] [rounds]
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Table from 'cli-table3'
import { accelerations, backends, gravity } from 'manybody'
import { machine } from './node/machine.ts'

interface Contender {
  readonly name: string
  /** Milliseconds of one pass. */
  readonly pass: () => Promise<readonly number[]>
  /** Results by the same place of `pass`. */
  readonly parts: readonly string[]
}

const [count = 4096, rounds = 21] = process.argv.slice(2).map(Number)
const softening = 0.05
const position = Float32Array.from({ length: 3 * count }, (_, n) => (n * 0.6180339887498949) % 1)
const mass = new Float32Array(count).fill(1 / count)
const folder = mkdtempSync(join(tmpdir(), 'manybody-bench-'))

const contenders = [javascript(), ...(await variants()), ...compiled()]
const times = new Map<string, number[]>()
for (let round = 0; round < rounds + 3; round++)
  for (const { name, parts, pass } of contenders)
    for (const [n, milliseconds] of (await pass()).entries()) {
      const key = `${name}${parts[n] ?? ''}`
      if (round >= 3) times.set(key, [...(times.get(key) ?? []), milliseconds])
    }
rmSync(folder, { recursive: true })

const { cpu, cores, load } = machine()
console.log(`${cpu}, ${cores} cores, Node ${process.version}, load ${load}; N = ${count}, ${rounds} rounds\n`)
const rate = (milliseconds: number) => count ** 2 / milliseconds / 1e6
const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN
const yardstick = times.get('JavaScript') ?? []
const table = new Table({
  head: ['loop', 'median, G pairs/s', 'best', 'times JavaScript (best)'],
  colAligns: ['left', 'right', 'right', 'right'],
  style: { head: [], border: [], compact: true },
})
for (const [name, list] of times) {
  const best = Math.min(...list)
  const gain = Math.min(...yardstick) / best
  table.push([name, rate(median(list)).toFixed(2), rate(best).toFixed(2), gain.toFixed(2)])
}
console.log(table.toString())

/** The plain loop over typed arrays. */
function javascript(): Contender {
  const acceleration = new Float32Array(3 * count)
  const pass = async () => {
    const start = performance.now()
    for (let i = 0; i < count; i++) {
      const [x, y, z] = [position[3 * i] as number, position[3 * i + 1] as number, position[3 * i + 2] as number]
      let ax = 0
      let ay = 0
      let az = 0
      for (let j = 0; j < count; j++) {
        const dx = (position[3 * j] as number) - x
        const dy = (position[3 * j + 1] as number) - y
        const dz = (position[3 * j + 2] as number) - z
        const s = dx * dx + dy * dy + dz * dz + softening * softening
        const c = (mass[j] as number) / (s * Math.sqrt(s))
        ax += c * dx
        ay += c * dy
        az += c * dz
      }
      acceleration.set([ax, ay, az], 3 * i)
    }
    return [performance.now() - start]
  }
  return { name: 'JavaScript', parts: [], pass }
}

/** The backend's variants on one thread, the chosen one on all, and float64. */
async function variants(): Promise<readonly Contender[]> {
  const backend = backends().find(({ name }) => name === 'cpu-wasm')
  const probe = await backend?.probe()
  if (!backend || !probe?.available) return []
  const relaxed = probe.features.includes('relaxed-simd') ? ['simd-relaxed', 'pairs-once-relaxed'] : []
  const wanted = [
    ...['simd', 'pairs-once', ...relaxed].map((variant) => ({ threads: 1, precision: 'f32', variant }) as const),
    ...['simd', 'pairs-once'].map((variant) => ({ precision: 'f32', variant }) as const),
    ...['simd', 'pairs-once'].map((variant) => ({ threads: 1, precision: 'f64', variant }) as const),
  ]
  const law = gravity({ softening })
  const set = { count, arrays: { position, mass } }
  const bindings = { targets: set, sources: set, parameters: law.parameters }
  const shape = { dimension: 3, targets: count, sources: count, sameSet: true, vectors: ['position'] } as const
  return Promise.all(
    wanted.map(async ({ variant, ...open }) => {
      const device = await backend.open(open)
      const program = await device.prepare(accelerations(law), shape, { variant })
      const pass = async () => {
        await program.run(bindings)
        return [program.report.timings.compute]
      }
      const threads = 'threads' in open ? 'one thread' : `up to ${device.info.limits.threads} threads`
      return { name: `WebAssembly ${variant}, ${open.precision}, ${threads}`, parts: [], pass }
    }),
  )
}

/** The rival in C at two widths; nothing without a compiler. */
function compiled(): readonly Contender[] {
  const source = fileURLToPath(new URL('../rivals/gravity.c', import.meta.url))
  const widths = [
    { name: 'C, 128 bits', flags: ['-msse4.1'] },
    { name: 'C, AVX2', flags: ['-mavx2', '-ffp-contract=off'] },
  ]
  return widths.flatMap(({ name, flags }, n) => {
    const program = join(folder, `gravity-${n}`)
    const { status } = spawnSync('gcc', ['-O3', ...flags, source, '-o', program, '-lm'])
    if (status !== 0) return []
    const pass = async () => {
      const { stdout } = spawnSync(program, [String(count), '3'], { encoding: 'utf8' })
      return (stdout.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
    }
    return [{ name, parts: [', every ordered pair', ', each pair once'], pass }]
  })
}
