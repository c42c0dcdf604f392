// Which candidate becomes the engine's device, and the verdict that every other one gets.

import { describe, expect, it, vi } from 'vitest'
import { createEngine, type EngineOptions } from '../../../src/engine/engine.ts'
import { BackendUnavailableError, NoBackendError } from '../../../src/ground/errors.ts'
import { Selection } from '../../../src/ground/selection.ts'
import { reference } from '../../../src/truth/reference/backend.ts'
import { type FakeBackend, fakeBackend } from '../../support/fake-backends.ts'

const webgpu = () => fakeBackend('webgpu', { kind: 'hardware', preference: -0.5, features: ['subgroups'] })
const webgl = () => fakeBackend('webgl', { kind: 'hardware' })
const wasm = () => fakeBackend('cpu-wasm', { kind: 'cpu', features: ['threads', 'simd'] })
const software = () => fakeBackend('webgpu', { kind: 'software' })
const gone = () => fakeBackend('webgl', { unavailable: 'no WebGL here; use a browser' })

async function chosen(options: EngineOptions): Promise<readonly (string | undefined)[]> {
  await using engine = await createEngine(options)
  expect(engine.device.info.backend).toBe(engine.selection.chosen)
  return engine.selection.verdicts.map((v) => `${v.backend} ${v.outcome}`)
}

describe('selection by rank', () => {
  it('tries hardware WebGPU, other hardware, CPU, software GPU and reference, in whatever order they are listed', async () => {
    const all = [reference(), fakeBackend('angle', { kind: 'software' }), wasm(), webgl(), webgpu()]
    const verdicts = [
      'webgpu chosen',
      'webgl available',
      'cpu-wasm available',
      'angle available',
      'reference available',
    ]
    expect(await chosen({ backends: all })).toEqual(verdicts)
    expect(await chosen({ backends: [...all].reverse(), backend: 'auto' })).toEqual(verdicts)
  })

  it('follows the preferences of the backends, whatever their names', async () => {
    const first = fakeBackend('first', { kind: 'cpu', preference: -2 })
    const last = fakeBackend('last', { kind: 'hardware', preference: 9 })
    expect(await chosen({ backends: [last, webgpu(), first] })).toEqual([
      'first chosen',
      'webgpu available',
      'last available',
    ])
  })

  it('prefers a CPU to WebGPU without hardware, and anything to the reference', async () => {
    expect(await chosen({ backends: [software(), wasm()] })).toEqual(['cpu-wasm chosen', 'webgpu available'])
    expect(await chosen({ backends: [reference(), software()] })).toEqual(['webgpu chosen', 'reference available'])
  })

  it('puts unavailable backends last', async () => {
    expect(await chosen({ backends: [gone(), reference()] })).toEqual(['reference chosen', 'webgl unavailable'])
  })
})

it('says what a candidate needs that was not tried', async () => {
  const needy = fakeBackend('webgl', { kind: 'hardware', needs: 'a driver ("install it")' })
  await using engine = await createEngine({ backends: [webgpu(), needy] })
  expect(engine.selection.verdicts[1]?.reason).toBe(
    'not tried, as webgpu is preferred; it needs a driver ("install it")',
  )
})

describe('selection by name', () => {
  it('uses the named backend and judges no other', async () => {
    const other = webgpu()
    expect(await chosen({ backends: [other, reference()], backend: 'reference' })).toEqual(['reference chosen'])
    expect(other.log.opened).toBe(0)
  })

  it('follows the order of a list of names', async () => {
    const backends = [webgpu(), wasm(), reference(), gone()]
    expect(await chosen({ backends, backend: ['webgl', 'cpu-wasm', 'webgpu'] })).toEqual([
      'webgl unavailable',
      'cpu-wasm chosen',
      'webgpu available',
    ])
  })

  it('throws a TypeError for an unknown name, and lists the known names', async () => {
    const make = createEngine({ backends: [webgpu(), wasm()], backend: 'cuda' })
    await expect(make).rejects.toThrow(
      new TypeError('"backend" expected "auto" or one of webgpu, cpu-wasm, got "cuda"'),
    )
    await expect(createEngine({ backends: [wasm()], backend: ['cpu-wasm', 'x'] })).rejects.toThrow(TypeError)
  })

  it('throws a BackendUnavailableError with the reason if the named backend is unavailable', async () => {
    const error = await createEngine({ backends: [gone(), wasm()], backend: 'webgl' }).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(BackendUnavailableError)
    expect(error).toMatchObject({
      backend: 'webgl',
      reason: 'no WebGL here; use a browser',
      message: 'Cannot open backend "webgl": no WebGL here; use a browser',
    })
  })
})

describe('selection by tags', () => {
  it.each<[options: Partial<EngineOptions>, reasons: readonly string[]]>([
    [
      { require: ['threads'] },
      ['lacks "threads", which is required', 'the first by preference that computes a known problem right'],
    ],
    [
      { require: ['cpu', 'simd'] },
      ['lacks "cpu", which is required', 'the first by preference that computes a known problem right'],
    ],
    [
      { require: ['hardware'] },
      ['the first by preference that computes a known problem right', 'lacks "hardware", which is required'],
    ],
    [{ forbid: ['webgpu'] }, ['"webgpu" is forbidden', 'the first by preference that computes a known problem right']],
    [
      { forbid: ['subgroups', 'x'] },
      ['"subgroups" is forbidden', 'the first by preference that computes a known problem right'],
    ],
    [
      { forbid: ['threads'] },
      ['the first by preference that computes a known problem right', '"threads" is forbidden'],
    ],
  ])('rejects the backends that %j excludes', async (options, reasons) => {
    await using engine = await createEngine({ backends: [webgpu(), wasm()], ...options })
    expect(engine.selection.verdicts.map((v) => v.reason)).toEqual(reasons)
  })

  it('notes forbidden tags that no backend has, because they may be misspelt', async () => {
    const forbid = ['sofware', 'software', 'webgl', 'subgroups', 'hardware', 'shader-f16']
    await using engine = await createEngine({ backends: [webgpu(), wasm(), gone()], forbid })
    const notes = [
      '"sofware" is forbidden, but none of these is or has it',
      '"shader-f16" is forbidden, but none of these is or has it',
    ]
    expect(engine.selection.notes).toEqual(notes)
    expect(String(engine.selection).split('\n').slice(3)).toEqual(notes)
  })

  it('leaves no backend if a required tag is unknown', async () => {
    await expect(createEngine({ backends: [wasm()], require: ['quantum'] })).rejects.toThrow(NoBackendError)
  })
})

describe('a faulty candidate', () => {
  const right = 'the first by preference that computes a known problem right'
  const cases: readonly (readonly [string, FakeBackend, string, string | RegExp])[] = [
    [
      'whose probe throws',
      fakeBackend('bad', { kind: 'hardware', probeThrows: 'boom' }),
      'unavailable',
      'probing failed: boom',
    ],
    [
      'that does not open',
      fakeBackend('bad', { kind: 'hardware', openThrows: new Error('boom') }),
      'rejected',
      'opening failed: boom',
    ],
    [
      'that says why it cannot be opened',
      fakeBackend('bad', {
        kind: 'hardware',
        openThrows: new BackendUnavailableError('bad', 'no driver; install one'),
      }),
      'rejected',
      /^opening failed: no driver; install one$/,
    ],
    [
      'that cannot run the proof',
      fakeBackend('bad', { kind: 'hardware', unsupported: 'no loops' }),
      'rejected',
      'it cannot run the proof, gravity among 67 points: no loops',
    ],
    [
      'that computes wrongly',
      fakeBackend('bad', {
        kind: 'hardware',
        distort: (r) => ({ acceleration: (r.acceleration as Float32Array).map((x) => -x) }),
      }),
      'rejected',
      /^it computed gravity among 67 points with an error of 1\.\de\+0, allowed is 0\.00001$/,
    ],
    [
      'that computes NaN',
      fakeBackend('bad', {
        kind: 'hardware',
        distort: (r) => ({ acceleration: (r.acceleration as Float32Array).map(() => NaN) }),
      }),
      'rejected',
      /error of Infinity/,
    ],
    [
      'that computes nothing',
      fakeBackend('bad', { kind: 'hardware', distort: () => ({}) }),
      'rejected',
      /error of Infinity/,
    ],
    [
      'whose run throws',
      fakeBackend('bad', { kind: 'hardware', beforeRun: () => Promise.reject(new Error('boom')) }),
      'rejected',
      'proving failed: boom',
    ],
  ]

  it.each(cases)('%s gives way to the next, with its reason', async (_, backend, outcome, reason) => {
    await using engine = await createEngine({ backends: [backend, wasm()] })
    const [verdict, other] = [...engine.selection.verdicts].sort((a, b) => a.backend.localeCompare(b.backend))
    expect(verdict?.outcome).toBe(outcome)
    expect(verdict?.reason).toMatch(reason)
    expect(other).toMatchObject({ backend: 'cpu-wasm', outcome: 'chosen', reason: right })
  })

  it.each(cases)('%s keeps no device open', (_, backend) => {
    expect(backend.log.disposed).toBe(backend.log.opened)
  })
})

describe('the error without a backend', () => {
  it('has one line for each candidate', async () => {
    const backends = [gone(), fakeBackend('bad', { openThrows: new Error('boom') })]
    const error = await createEngine({ backends }).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(NoBackendError)
    expect((error as NoBackendError).message.split('\n')).toEqual([
      'Cannot create an engine: no candidate backend can be used on this machine',
      '  bad: opening failed: boom',
      '  webgl: no WebGL here; use a browser',
    ])
    expect((error as NoBackendError).verdicts.map((v) => v.outcome)).toEqual(['rejected', 'unavailable'])
  })

  it('also occurs without candidates', async () => {
    await expect(createEngine({ backends: [] })).rejects.toThrow(
      'Cannot create an engine: no candidate backend can be used on this machine (none was given)',
    )
  })
})

describe('a selection as text', () => {
  it('is a table that marks the chosen backend', async () => {
    await using engine = await createEngine({ backends: [webgpu(), wasm(), gone()] })
    expect(String(engine.selection).split('\n')).toEqual([
      '*  webgpu    chosen       webgpu device    the first by preference that computes a known problem right',
      '   cpu-wasm  available    cpu-wasm device  not tried, as webgpu is preferred',
      '   webgl     unavailable  -                no WebGL here; use a browser',
    ])
  })

  it('is empty without candidates', () => {
    expect(String(new Selection([]))).toBe('')
    expect(new Selection([]).chosen).toBeUndefined()
  })
})

it('a probe that never answers is abandoned, and does not affect others', async () => {
  vi.useFakeTimers()
  try {
    const silent = { ...webgpu(), probe: () => new Promise<never>(() => {}) }
    const choosing = chosen({ backends: [silent, reference()] })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await choosing).toEqual(['reference chosen', 'webgpu unavailable'])
  } finally {
    vi.useRealTimers()
  }
})
