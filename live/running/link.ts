/**
 * The state of the page in the part of its address behind `#`. It has the setup of the run. It also has the positions and velocities, to 16
 * bits each, unless there are too many for an address.
 */

import type { SimulationState } from 'manybody'
import type { Camera } from '../drawing/camera.ts'
import { sceneNamed } from '../scenes/list.ts'
import { base64Of, bytesFrom } from './files.ts'
import { firstLaw } from './laws.ts'
import type { Setup } from './setup.ts'

/** The length of the longest address that all browsers open. */
const mostCharacters = 200_000

export interface Shared {
  readonly setup: Setup
  readonly fitting: boolean
  readonly running: boolean
  readonly camera?: Camera | undefined
  readonly state?: SimulationState | undefined
}

export async function hashOf({ setup, fitting, running, camera, state }: Shared): Promise<string> {
  const { scene, count, seed, law, backend, variant, backwards, tolerance } = setup
  const words = new URLSearchParams({ scene: scene.name, count: String(count), seed: String(seed) })
  if (fitting) words.set('fit', '1')
  if (!running) words.set('paused', '1')
  if (backend) words.set('backend', backend)
  if (variant) words.set('variant', variant)
  if (tolerance > 0) words.set('tolerance', String(tolerance))
  if (backwards) words.set('backwards', '1')
  const first = firstLaw(scene.law)
  for (const [name, text] of Object.entries(law.expressions))
    if (text !== first.expressions[name]) words.set(`law.${name}`, text)
  for (const [name, value] of Object.entries(law.parameters))
    if (value !== first.parameters[name]) words.set(`set.${name}`, String(value))
  if (camera) {
    const { target, distance, turn, tilt } = camera
    words.set('camera', [...target, distance, turn, tilt].map((x) => Number(x.toPrecision(5))).join(' '))
  }
  if (state) {
    words.set('steps', String(state.steps))
    const [position, velocity] = [await packed(state.arrays.position), await packed(state.arrays.velocity)]
    if (position.length + velocity.length <= mostCharacters) {
      words.set('position', position)
      words.set('velocity', velocity)
    }
  }
  return String(words)
}

/** @throws Error if the positions cannot be read */
export async function sharedFrom(hash: string): Promise<Shared> {
  const words = new URLSearchParams(hash.replace(/^#/, ''))
  const scene = sceneNamed(words.get('scene'))
  const first = firstLaw(scene.law)
  const given = (prefix: string) =>
    [...words].flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
    )
  const known = (name: string, among: object) => Object.hasOwn(among, name)
  const parameters = given('set.').filter(
    ([name, value]) => known(name, first.parameters) && Number.isFinite(Number(value)),
  )
  const count = Math.min(Math.max(Math.round(Number(words.get('count')) || scene.count.first), 2), scene.count.most)
  const setup: Setup = {
    scene,
    count,
    seed: Number(words.get('seed')) || 1,
    law: {
      expressions: {
        ...first.expressions,
        ...Object.fromEntries(given('law.').filter(([name]) => known(name, first.expressions))),
      },
      parameters: {
        ...first.parameters,
        ...Object.fromEntries(parameters.map(([name, value]) => [name, Number(value)])),
      },
    },
    backend: words.get('backend') ?? '',
    variant: words.get('variant') ?? '',
    backwards: words.has('backwards'),
    tolerance: Math.min(Math.max(Number(words.get('tolerance')) || 0, 0), 0.02),
  }
  return {
    setup,
    fitting: words.has('fit') || !words.has('count'),
    running: !words.has('paused'),
    camera: cameraFrom(words.get('camera')),
    state: await stateFrom(words, setup),
  }
}

function cameraFrom(text: string | null): Camera | undefined {
  const numbers = text?.split(' ').map(Number) ?? []
  if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return undefined
  const [x = 0, y = 0, z = 0, distance = 1, turn = 0, tilt = 0] = numbers
  return { target: [x, y, z], distance, turn, tilt }
}

async function stateFrom(words: URLSearchParams, setup: Setup): Promise<SimulationState | undefined> {
  const [position, velocity] = [words.get('position'), words.get('velocity')]
  if (!position || !velocity) return undefined
  const { scene, count, seed } = setup
  const { dimension, ...arrays } = scene.points(count, seed)
  const length = count * dimension
  const moved = { position: await unpacked(position, length), velocity: await unpacked(velocity, length) }
  const numbers = arrays as Readonly<Record<string, Float32Array>>
  const steps = Math.max(0, Math.round(Number(words.get('steps')) || 0))
  return { dimension, steps, integrator: scene.integrator, dt: scene.dt, arrays: { ...numbers, ...moved } }
}

/** The range of the numbers, then 16 bits for each number, compressed. */
async function packed(numbers: ArrayLike<number>): Promise<string> {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let n = 0; n < numbers.length; n++) {
    least = Math.min(least, numbers[n] ?? 0)
    most = Math.max(most, numbers[n] ?? 0)
  }
  const range = Float32Array.of(least, most)
  const unit = (most - least) / 65_535 || 1
  const whole = Uint16Array.from(numbers, (x) => Math.round((x - least) / unit))
  const bytes = new Uint8Array(8 + 2 * whole.length)
  bytes.set(new Uint8Array(range.buffer), 0)
  bytes.set(new Uint8Array(whole.buffer), 8)
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const text = base64Of(new Uint8Array(await new Response(stream).arrayBuffer()))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** @throws Error unless there are exactly `length` numbers: a short link may unpack to more than fits in memory */
async function unpacked(text: string, length: number): Promise<Float32Array<ArrayBuffer>> {
  const plain = await inflated(text, 8 + 2 * length).catch((cause: unknown) => {
    throw new Error('the link is damaged: its positions cannot be unpacked; copy it again', { cause })
  })
  if (!plain) throw new Error('the link is damaged: it holds positions of another number of bodies; copy it again')
  const [least = 0, most = 0] = new Float32Array(plain, 0, 2)
  const unit = (most - least) / 65_535 || 1
  return Float32Array.from(new Uint16Array(plain, 8), (n) => least + unit * n)
}

/** Exactly `length` bytes; undefined if there are fewer or more. */
async function inflated(text: string, length: number): Promise<ArrayBuffer | undefined> {
  const packed = new Blob([bytesFrom(text.replaceAll('-', '+').replaceAll('_', '/'))])
  const reader = packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const bytes = new Uint8Array(length)
  let filled = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (filled + next.value.length > length) {
      await reader.cancel()
      return undefined
    }
    bytes.set(next.value, filled)
    filled += next.value.length
  }
  return filled === length ? bytes.buffer : undefined
}
