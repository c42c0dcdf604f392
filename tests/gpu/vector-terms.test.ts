// Terms that are vectors of any length, on every backend, beside sums written out by hand. Whole numbers must match to the last bit.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import {
  type Attributes,
  createEngine,
  type DomainOptions,
  type Engine,
  type LawOptions,
  type Plan,
  type Precision,
  pairTerm,
  periodic,
  reference,
  sum,
} from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
import { Remembered } from '../../packages/core/src/ground/remember.ts'
import { angleContexts } from '../support/angle.ts'

type Arrays = Readonly<Record<string, Float32Array>>
type Term = (i: number, j: number, k: number) => number

interface Subject {
  readonly name: string
  readonly text: string
  readonly length: number
  readonly targets: Arrays & { readonly count: number }
  /** The same set by default. */
  readonly sources?: Arrays & { readonly count: number }
  readonly term: Term
  readonly options?: LawOptions
  readonly domain?: DomainOptions
  readonly run?: { readonly parameters: Readonly<Record<string, number | readonly number[]>> }
  /** Whether all numbers are whole. */
  readonly exact?: true
  /** Whether every device gets a few components at a time. */
  readonly divided?: true
}

const noise = (n: number) => (Math.sin(12.9898 * (n + 1)) * 43758.5453) % 1
const spread = (count: number, seed: number) => Float32Array.from({ length: count }, (_, n) => noise(n + 1000 * seed))
const wholes = (count: number, factor: number) => Float32Array.from({ length: count }, (_, n) => ((factor * n) % 7) - 3)
const set = (count: number, arrays: Arrays) => ({ ...arrays, count }) as Arrays & { readonly count: number }
const at = (array: Float32Array | undefined, n: number) => array?.[n] ?? Number.NaN
const over = (length: number, of: (k: number) => number) =>
  Array.from({ length }, (_, k) => of(k)).reduce((total, x) => total + x, 0)

function kernels(length: number): Subject {
  const [x, y, b] = [spread(23 * 10, 1), spread(41 * 10, 2), spread(41 * length, 3)]
  return {
    name: `a kernel times a vector of ${length}`,
    text: 'exp(-sqdist(x_i, y_j)/(2*s^2))*vector(b_j)',
    options: { parameters: { s: 1 } },
    run: { parameters: { s: 1.5 } },
    length,
    targets: set(23, { x }),
    sources: set(41, { y, b }),
    term: (i, j, k) =>
      Math.exp(-over(10, (d) => (at(x, 10 * i + d) - at(y, 10 * j + d)) ** 2) / 4.5) * at(b, length * j + k),
  }
}

function pulls(length: number): Subject {
  const [x, w] = [wholes(29 * length, 3), wholes(29, 2)]
  return {
    name: `pulls of whole numbers in ${length}-D`,
    text: 'w_j*vector(x_j - x_i)',
    length,
    targets: set(29, { x, w }),
    term: (i, j, k) => at(w, j) * (at(x, length * j + k) - at(x, length * i + k)),
    exact: true,
  }
}

function placed(): readonly Subject[] {
  const [count, length] = [60, 5]
  const position = spread(3 * count, 4).map((x) => 2 * x)
  const u = spread(length * count, 5)
  const separation = (i: number, j: number) =>
    [0, 1, 2].map((axis) => at(position, 3 * j + axis) - at(position, 3 * i + axis))
  const image = (d: number, box: number) => d - box * Math.round(d / box)
  const targets = set(count, { position, u })
  return [
    {
      name: 'within a cutoff and without some pairs',
      text: 'dx*vector(u_j)',
      ...{ length, targets, domain: { cutoff: 1.5, exclusions: [[0, 1]] as const } },
      term: (i, j, k) => {
        const d = separation(i, j)
        const out = Math.hypot(...d) > 1.5 || (i + j === 1 && i * j === 0)
        return out ? 0 : (d[0] as number) * at(u, length * j + k)
      },
    },
    {
      name: 'whose components decide at one place',
      divided: true,
      text: 'max(max(r2, p), vector(u_j)^2) + vector(u_i)',
      options: { parameters: { p: 0.1 } },
      ...{ length, targets },
      term: (i, j, k) => {
        const r2 = over(3, (axis) => (separation(i, j)[axis] as number) ** 2)
        return Math.max(r2, 0.1, at(u, length * j + k) ** 2) + at(u, length * i + k)
      },
    },
    {
      name: 'in a box of nearest images',
      text: 'r2*vector(u_j*u_i)',
      ...{ length, targets, domain: { cutoff: 1.9, boundary: periodic([4, 4, 4]) } },
      term: (i, j, k) => {
        const r2 = over(3, (axis) => image(separation(i, j)[axis] as number, 4) ** 2)
        return r2 > 1.9 ** 2 ? 0 : r2 * at(u, length * j + k) * at(u, length * i + k)
      },
    },
    {
      name: 'in a box where sources have several images',
      divided: true,
      text: 'exp(-r2)*vector(u_j)',
      ...{ length, targets, domain: { cutoff: 2, boundary: periodic([3, 3, 3]), self: 'include' } },
      term: (i, j, k) => {
        const cells = [-2, -1, 0, 1, 2]
        const sums = cells.flatMap((a) => cells.flatMap((b) => cells.map((c) => [3 * a, 3 * b, 3 * c])))
        const r2s = sums.map((shift) =>
          over(3, (axis) => ((separation(i, j)[axis] as number) + (shift[axis] as number)) ** 2),
        )
        return r2s.reduce((total, r2) => total + (r2 <= 4 ? Math.exp(-r2) : 0), 0) * at(u, length * j + k)
      },
    },
  ]
}

function others(): readonly Subject[] {
  const [count, length] = [31, 19]
  const [x, w, kind] = [spread(count * length, 6), spread(count, 7), wholes(count, 1).map((n) => Math.abs(n) % 2)]
  const numbered = spread(count, 8)
  const targets = set(count, { x, w, kind, x_0: numbered })
  const g = Array.from({ length }, (_, k) => (k % 5) - 1.5)
  const h = g.map((one) => 2 - one)
  const [here, there] = [
    (i: number, k: number) => at(x, length * i + k),
    (j: number, k: number) => at(x, length * j + k),
  ]
  return [
    {
      name: 'a vector of parameters by component',
      text: 'w_j*vector(g*(x_j - x_i)^2 + p) + vector(g*x_i)*sum(g*x_j)',
      options: { parameters: { g, p: 0.5 } },
      run: { parameters: { g: h, p: 0.25 } },
      ...{ length, targets },
      term: (i, j, k) =>
        at(w, j) * ((h[k] as number) * (there(j, k) - here(i, k)) ** 2 + 0.25) +
        (h[k] as number) * here(i, k) * over(length, (d) => (h[d] as number) * there(j, d)),
    },
    {
      name: 'a vector that sums over components read, too',
      text: 'exp(-sqdist(x_i, x_j))*vector(x_j - x_i)',
      ...{ length, targets },
      term: (i, j, k) => Math.exp(-over(length, (d) => (here(i, d) - there(j, d)) ** 2)) * (there(j, k) - here(i, k)),
    },
    {
      name: 'functions of components',
      text: 'sqrt(abs(vector(x_j - 2*x_i)))*norm(x_j) + select(vector(x_j) > 0, 1, w_i)',
      ...{ length, targets },
      term: (i, j, k) =>
        Math.sqrt(Math.abs(there(j, k) - 2 * here(i, k))) * Math.sqrt(over(length, (d) => there(j, d) ** 2)) +
        (there(j, k) > 0 ? 1 : at(w, i)),
    },
    {
      name: 'a table, and names that components might have',
      text: 's[kind_i, kind_j]*x_0_j*vector(x_j)',
      options: {
        tables: {
          s: [
            [1, 2],
            [3, 4],
          ],
        },
      },
      ...{ length, targets },
      term: (i, j, k) => (1 + 2 * at(kind, i) + at(kind, j)) * at(numbered, j) * there(j, k),
    },
  ]
}

const subjects = [...[1, 3, 16, 17, 40].map(kernels), ...[1, 2, 5, 16, 33, 100].map(pulls), ...placed(), ...others()]

const backends = {
  reference: reference(),
  'cpu-wasm': cpuWasm(),
  webgpu: webgpu(),
  webgl: webgl({ context: await angleContexts(2) }),
}
const engines = new Map<string, Engine<Precision>>()
const combinations = (['f32', 'f64'] as const).flatMap((precision) =>
  (Object.keys(backends) as (keyof typeof backends)[]).flatMap((backend) =>
    precision === 'f64' && backend.startsWith('webg') ? [] : [{ backend, precision }],
  ),
)
/** Short vectors come in the loop of WebGPU over whole vectors by a plan only. */
const whole: Plan = { variant: 'vector' }
const inParts: Plan = { variant: 'vector', sizes: { parts: 2 } }
const planned: readonly {
  readonly backend: keyof typeof backends
  readonly precision: Precision
  readonly plan?: Plan
}[] = [...combinations, ...[whole, inParts].map((plan) => ({ backend: 'webgpu', precision: 'f32', plan }) as const)]
for (const { backend, precision } of combinations)
  engines.set(`${backend} ${precision}`, await createEngine({ backends: [backends[backend]], precision }))
afterAll(() => {
  for (const engine of engines.values()) engine.dispose()
})

/** The sum and the sum of sizes of the terms of each result, computed once for all devices. */
const truths = new Remembered<Subject, readonly { readonly total: number; readonly size: number }[]>()
const truthOf = (subject: Subject) =>
  truths.of(subject, () => {
    const { term, domain, targets, sources, length } = subject
    const self = domain?.self === 'include' || sources !== undefined
    return Array.from({ length: targets.count * length }, (_, n) => {
      const [i, k] = [Math.floor(n / length), n % length]
      let [total, size] = [0, 0]
      for (let j = 0; j < (sources ?? targets).count; j++)
        if (self || j !== i) {
          const one = term(i, j, k)
          total += one
          size += Math.abs(one)
        }
      return { total, size }
    })
  })

describe.each(planned)('on $backend in $precision, plan $plan', ({ backend, precision, plan }) => {
  const engine = engines.get(`${backend} ${precision}`) as Engine<Precision>

  test.each(subjects.filter(({ divided }) => !(plan && divided)))('$name', async (subject) => {
    const { text, options = {}, domain, run, targets, sources, length, exact } = subject
    const workload = sum(pairTerm(text, options)(), domain)
    const particles = (sources ? { targets, sources } : targets) as Attributes
    const given = { ...run, ...(plan && { plan }) }
    const { value, report } = await engine.run(workload, particles, given)
    expect(report.backend).toBe(backend)
    expect(value.length).toBe(targets.count * length)
    for (const [n, { total, size }] of truthOf(subject).entries()) {
      const error = Math.abs((value[n] as number) - total)
      expect(error).toBeLessThanOrEqual(exact ? 0 : (precision === 'f64' ? 1e-13 : 2e-5) * (size + 1e-3))
    }
    const { ok, targets: checked } = await engine.verify(workload, particles, { ...given, sample: 9 })
    expect(ok).toBe(true)
    expect(checked.length).toBe(9)
  })

  if (plan)
    test('more components than one workgroup takes', async () => {
      const [count, length] = [3, 8200]
      const x = wholes(count * length, 3)
      const { value, report } = await engine.run(sum(pairTerm('vector(x_j - x_i)')()), { x, count }, { plan })
      expect(report.variant).toMatch(/^vector /)
      const truth = Array.from({ length: count * length }, (_, n) =>
        [0, 1, 2].reduce((total, j) => total + at(x, length * j + (n % length)) - at(x, n), 0),
      )
      expect(Array.from(value)).toEqual(truth)
    })

  test('the note about a result that is not finite names the component of the vector', async () => {
    const [count, length] = [7, 40]
    const x = Float32Array.from({ length: count * length }, (_, n) => (n === 3 * length + 37 ? -1 : 1))
    const law = pairTerm('vector(log(g*x_j))', { parameters: { g: new Array(length).fill(1) } })()
    const { report } = await engine.run(sum(law), { x, count })
    expect(report.notes).toEqual([
      '"value" of point 0 and 5 more is NaN: in component 37, the law has no finite value for points 0 and 3: log(g_37 * x_37_j) is NaN for an operand of -1',
    ])
  })
})
