// What a run says to workers and when, with a server and a clock that are made up.

import { accelerations, gravity } from '@manybody/core'
import { workloadOf } from '@manybody/core/backend'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Replies } from '../src/coordinator/replies.ts'
import type { SpreadJob } from '../src/coordinator/spread-job.ts'
import { type Speaking, spreadRun } from '../src/coordinator/spread-run.ts'
import { Team } from '../src/coordinator/team.ts'
import { askAfter, looks, nextCall, tick } from '../src/schedule/waits.ts'
import { type ClusterJob, protocol } from '../src/wire/job.ts'
import { type Link, subjectsOf } from '../src/wire/link.ts'
import { decode, encode } from '../src/wire/message.ts'

const worker = 'a'.repeat(32)
const info = { protocol, id: worker, backend: 'x', name: 'x', kind: 'cpu', precisions: ['f32'], calls: 0 }

/** A worker gets four blocks at first, for which it should take 5.1 s, and the next four. */
const points = 1_000_000
const firstCall = 5120

const work = {
  job: {
    workload: workloadOf(accelerations(gravity())),
    shape: { dimension: 3, targets: points, sources: points, sameSet: true },
    ...{ precision: 'f32', plan: undefined, parameters: {}, arrays: { targets: {} } },
    ...{ targets: [0, points], sources: [0, points] },
  } as unknown as ClusterJob,
  ...{ text: new Uint8Array(0), bindings: {}, offsets: undefined, pushed: 0, resend: async () => {} },
} as unknown as SpreadJob

/** A coordinator, and what it sends. */
async function coordinator() {
  const sent: (string | undefined)[] = []
  let asked = 0
  const connection = {
    subscribe: () => ({ unsubscribe() {} }),
    isClosed: () => false,
    publish: (_: string, data: Uint8Array) => void sent.push(String(decode(data).header.kind ?? 'call')),
    async requestMany() {
      asked++
      return (async function* () {
        yield { data: encode(info) }
      })()
    },
  }
  const link = { connection, subjects: subjectsOf('default'), partBytes: 1e6, shortBytes: 6e4 } as unknown as Link
  const team = new Team(link, 'f32', async () => undefined)
  await team.gather()
  asked = 0
  const to: Speaking = { link, team, replies: new Replies(link) }
  return { to, sent, looks: () => asked }
}

function options() {
  const ends = new AbortController()
  onTestFinished(() => ends.abort(new Error('the test ended')))
  return { recheck: 0, signal: ends.signal, disposed: new AbortController().signal }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  return () => vi.useRealTimers()
})

describe('a run', () => {
  it('asks a worker whether it is there once its call is late, and not before', async () => {
    const { to, sent } = await coordinator()
    spreadRun(to, work, options()).catch(() => {})
    vi.advanceTimersByTime(firstCall + askAfter - 100)
    expect(sent).toEqual(['call', 'call'])
    vi.advanceTimersByTime(100 + tick)
    expect(sent).toEqual(['call', 'call', 'ask'])
  })

  it('gives a worker its next call when the first will soon end', async () => {
    const { to, sent } = await coordinator()
    spreadRun(to, work, options()).catch(() => {})
    vi.advanceTimersByTime(firstCall - nextCall - tick)
    expect(sent).toEqual(['call'])
    vi.advanceTimersByTime(2 * tick)
    expect(sent).toEqual(['call', 'call'])
  })

  it('looks for new workers when it begins, if it is time: many are too short to do so later', async () => {
    const { to, looks: looked } = await coordinator()
    const step = () => {
      const ends = new AbortController()
      spreadRun(to, work, { ...options(), signal: ends.signal }).catch(() => {})
      ends.abort()
    }
    step()
    expect(looked()).toBe(0)
    vi.advanceTimersByTime(looks.soonest + 1)
    step()
    step()
    expect(looked()).toBe(1)
  })

  it('gives nothing out if it was aborted, or its engine disposed of, while its arrays were sent', async () => {
    const { to, sent } = await coordinator()
    const ended = AbortSignal.abort(new Error('not needed'))
    const going = new AbortController().signal
    for (const how of [
      { signal: ended, disposed: going },
      { signal: going, disposed: ended },
    ]) {
      const run = spreadRun(to, work, { recheck: 0, ...how })
      run.catch(() => {})
      expect(sent).toEqual([])
      await expect(run).rejects.toThrow('not needed')
    }
  })
})
