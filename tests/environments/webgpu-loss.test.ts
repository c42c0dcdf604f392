// Loses a device in a page of the headless browser, while work is under way and between runs. Either the device is destroyed, or the GPU
// process ends. The user must get right results from another device, or an error. It starts a separate browser, so that the end of a
// process affects no other test.

import { build } from 'esbuild'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chromiumLaunch } from '../../tools/chromium.ts'
import { patience } from '../../tools/patience.ts'
import { preparedApp } from './prepared.ts'

/** The page's report on one piece of work. */
interface Outcome {
  /** Largest deviation from float64, relative to the largest number of the result. */
  readonly error: number
  readonly backend: string
  readonly recoveries: readonly string[]
}

const moments = ['between runs', 'after a submission', 'after a part'] as const
type Moment = (typeof moments)[number]

interface Loss {
  /** Backends in order of preference. */
  readonly backend: string | readonly string[]
  readonly work: 'run' | 'simulation'
  readonly how: 'destroy' | 'crash'
  readonly when: Moment
  /** Whether to lose every device instead of the first only. */
  readonly always?: boolean
}

const program = `
import { accelerations, createEngine, gravity } from 'manybody'

const devices = []
const { gpu } = navigator
const requestAdapter = gpu.requestAdapter.bind(gpu)
gpu.requestAdapter = async (options) => {
  const adapter = await requestAdapter(options)
  const requestDevice = adapter?.requestDevice.bind(adapter)
  if (adapter) adapter.requestDevice = async (wanted) => {
    const device = await requestDevice(wanted)
    devices.push(device)
    return device
  }
  return adapter
}

/** Called when there is a submission to any device, and when a part of some work is done. */
const none = () => {}
const called = { 'after a submission': none, 'after a part': none }
const { submit } = GPUQueue.prototype
GPUQueue.prototype.submit = function (...commands) {
  submit.apply(this, commands)
  called['after a submission']()
}
const onProgress = () => called['after a part']()

/** Only large runs have parts. */
const countFor = (when) => when === 'after a part' ? 2048 : 512
const law = gravity({ softening: 0.1 })
const numbers = (length, step) => Float32Array.from({ length }, (_, n) => ((n + 1) * step) % 1)
const particles = (count) => ({ position: numbers(3 * count, 0.7548776662), mass: numbers(count, 0.6180339887) })

/** Accelerations, or positions after some steps, and who computed them. */
const works = {
  async run(engine, count) {
    const { acceleration, report } = await engine.run(accelerations(law), particles(count), { onProgress })
    return { data: acceleration, backend: report.backend, recoveries: report.recoveries }
  },
  async simulation(engine, count) {
    const velocity = new Float32Array(3 * count)
    const simulation = await engine.simulate({ law, particles: { ...particles(count), velocity }, dt: 0.001 })
    await simulation.step(3, { onProgress })
    const data = await simulation.read('position')
    const { recoveries } = simulation
    simulation.dispose()
    return { data, backend: engine.device.info.backend, recoveries }
  },
}

globalThis.truth = async ({ work, when }) => {
  const exact = await createEngine({ backend: 'reference' })
  const { data } = await works[work](exact, countFor(when))
  exact.dispose()
  return [...data]
}

async function lose({ backend, work, how, when, always }, expected) {
  const count = countFor(when)
  const engine = await createEngine({ backend })
  try {
    const end = () => {
      if (!always) Object.assign(called, { [when]: none })
      return how === 'crash' ? crash() : devices.at(-1).destroy()
    }
    if (when === 'between runs') {
      await works[work](engine, count)
      await end()
    } else Object.assign(called, { [when]: end })
    let outcome = await works[work](engine, count)
    // A process takes a while to end. Continue the work until it has.
    for (let n = 0; how === 'crash' && outcome.recoveries.length === 0 && n < 200; n++) outcome = await works[work](engine, count)
    const { data, backend, recoveries } = outcome
    const scale = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const error = data.reduce((most, value, n) => Math.max(most, Math.abs(value - expected[n])), 0) / scale
    return { error, backend, recoveries }
  } finally {
    Object.assign(called, { [when]: none })
    engine.dispose()
  }
}
globalThis.lose = async (loss, expected) => {
  try {
    return await lose(loss, expected)
  } catch (error) {
    return { thrown: error.name, message: error.message, stack: error.stack }
  } finally {
    // Unhandled rejections are reported a little later.
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
globalThis.unhandled = []
addEventListener('unhandledrejection', ({ reason }) => unhandled.push(String(reason)))
addEventListener('error', ({ message }) => unhandled.push(message))
`

let browser: Browser
let session: CDPSession
let script: string
let page: Page

beforeAll(async () => {
  const built = await build({
    stdin: { contents: program, resolveDir: await preparedApp() },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
  })
  script = built.outputFiles[0]?.text ?? ''
  const launch = await chromiumLaunch()
  // Without this flag, the third crash would end WebGPU for the page.
  const lenient = ['--disable-gpu-process-crash-limit', '--disable-domain-blocking-for-3d-apis']
  browser = await chromium.launch({ ...launch, args: [...launch.args, ...lenient] })
  session = await browser.newBrowserCDPSession()
})

afterAll(() => browser?.close())

beforeEach(async () => {
  page = await browser.newPage()
  page.setDefaultTimeout(patience)
  // WebGPU requires a secure context.
  await page.route('http://localhost/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>page</title>' }),
  )
  await page.exposeFunction('crash', async () => {
    await session.send('Browser.crashGpuProcess').catch(() => undefined)
  })
  await page.goto('http://localhost/')
  await page.addScriptTag({ content: script })
})

afterEach(async () => {
  const unhandled = await page.evaluate(() => (globalThis as never as { unhandled: string[] }).unhandled)
  await page.close()
  expect(unhandled).toEqual([])
})

/** The functions of the page. */
interface Program {
  truth(loss: Loss): Promise<number[]>
  lose(loss: Loss, expected: readonly number[]): Promise<Outcome>
}

/** The float64 results of each work, small and large: the reference takes a second for a large one. */
const truths = new Map<string, readonly number[]>()

async function lose(loss: Loss): Promise<Outcome> {
  const key = `${loss.work} ${loss.when === 'after a part'}`
  const expected = truths.get(key) ?? (await page.evaluate((of) => (globalThis as never as Program).truth(of), loss))
  truths.set(key, expected)
  return page.evaluate(([asked, truth]) => (globalThis as never as Program).lose(asked, truth), [
    loss,
    expected,
  ] as const)
}

describe.each(['destroy', 'crash'] as const)('%s', (how) => {
  describe.each(['run', 'simulation'] as const)('%s', (work) => {
    test.each(moments)('%s', async (when) => {
      const outcome = await lose({ backend: ['webgpu', 'cpu-wasm'], work, how, when })
      expect(outcome).toEqual({
        error: expect.any(Number),
        backend: expect.stringMatching(/^(webgpu|cpu-wasm)$/),
        recoveries: expect.arrayContaining([expect.stringMatching(/^webgpu: ./)]),
      })
      expect(outcome.error).toBeLessThan(1e-4)
    })
  })
})

test('a device that is lost again and again is replaced by another backend', async () => {
  const loss = { work: 'run', how: 'destroy', when: 'after a part', always: true } as const
  const outcome = await lose({ ...loss, backend: ['webgpu', 'cpu-wasm'] })
  expect(outcome).toMatchObject({ backend: 'cpu-wasm' })
  expect(outcome.recoveries).toHaveLength(2)
  expect(outcome.error).toBeLessThan(1e-4)
})

test('without another backend, an error reports the loss', async () => {
  const outcome = await lose({ backend: 'webgpu', work: 'run', how: 'destroy', when: 'after a part', always: true })
  expect(outcome).toMatchObject({
    thrown: 'DeviceLostError',
    message: expect.stringContaining('open the backend again'),
  })
})
