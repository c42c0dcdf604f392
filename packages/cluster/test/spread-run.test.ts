// The messages of a run to its workers, and their times, with a simulated server and clock.

import { accelerations, gravity } from '@manybody/core'
import { workloadOf } from '@manybody/core/judge'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Replies } from '../src/coordinator/replies.ts'
import type { SpreadJob } from '../src/coordinator/spread-job.ts'
import { type Speaking, spreadRun } from '../src/coordinator/spread-run.ts'
import { Team } from '../src/coordinator/team.ts'
import { askAfter, looks, nextCall, tick } from '../src/schedule/waits.ts'
import { type ClusterJob, protocol } from '../src/wire/job.ts'
import { listen } from '../src/wire/link.ts'
import { decode, encode } from '../src/wire/message.ts'
import { senderIn } from '../src/wire/subjects.ts'
import { LocalServer, linkWith, named } from './support.ts'

const worker = named('a')
const info = { protocol, id: worker, backend: 'x', name: 'x', kind: 'cpu', precisions: ['f32'], calls: 0 }

/** A worker gets four blocks at first, which should take it 5.1 s, and then the next four. */
const points = 1_000_000
const firstCall = 5120

const work = {
  job: {
    workload: workloadOf(accelerations(gravity())),
    shape: { dimension: 3, targets: points, sources: points, sameSet: true, vectors: [] },
    ...{ precision: 'f32', plan: undefined, parameters: {}, arrays: { targets: {} } },
    ...{ targets: [0, points], sources: [0, points] },
  } as unknown as ClusterJob,
  ...{ text: new Uint8Array(0), bindings: {}, offsets: undefined, pushed: 0, has: () => false, resend: async () => {} },
} as unknown as SpreadJob

/** A coordinator, and the messages that it sends. The test gives the worker's answers. */
async function coordinator() {
  const server = new LocalServer()
  const to = linkWith(server.connection())
  const sent: (string | undefined)[] = []
  const replies: string[] = []
  let asked = 0
  const at = linkWith(server.connection(), worker)
  listen(at, to.subjects.hellos, ({ subject, data }) => {
    asked++
    server.send(to.subjects.result(worker, senderIn(subject), String(decode(data).header.run)), encode(info))
  })
  listen(at, to.subjects.callsOf(worker), ({ data, reply = '' }) => {
    sent.push(String(decode(data).header.kind ?? 'call'))
    replies.push(reply)
  })
  const all = new Replies(to)
  const team = new Team(to, all, 'f32', async () => undefined)
  await team.gather()
  asked = 0
  const speaking: Speaking = { link: to, team, replies: all }
  const answer = async (header: object, subject = replies.at(-1) ?? '') => {
    server.send(subject, encode(header))
    await settled()
  }
  return { to: speaking, sent, looks: () => asked, answer, replies, server }
}

/** Waits until the messages of the simulated server have arrived. */
async function settled(): Promise<void> {
  for (let n = 0; n < 8; n++) await Promise.resolve()
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
    await settled()
    expect(sent).toEqual(['call', 'call'])
    vi.advanceTimersByTime(100 + tick)
    await settled()
    expect(sent).toEqual(['call', 'call', 'ask'])
  })

  it('gives a worker its next call when the first will soon end', async () => {
    const { to, sent } = await coordinator()
    spreadRun(to, work, options()).catch(() => {})
    vi.advanceTimersByTime(firstCall - nextCall - tick)
    await settled()
    expect(sent).toEqual(['call'])
    vi.advanceTimersByTime(2 * tick)
    await settled()
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
    await settled()
    expect(looked()).toBe(0)
    vi.advanceTimersByTime(looks.soonest + 1)
    step()
    step()
    await settled()
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

  it('is ended by nothing that a worker says: it loses its own calls, and is named', async () => {
    const { to, sent, answer } = await coordinator()
    let ended: unknown
    spreadRun(to, work, options()).catch((error) => {
      ended = error
    })
    await settled()
    for (const header of [
      { kind: 'part', task: { toString: 1 }, at: 0 },
      { kind: 'failed', task: '2', missing: 'f'.repeat(64), reason: 'I lack an array of somebody else' },
    ])
      await answer(header)
    expect(ended).toBeUndefined()
    expect(sent.filter((kind) => kind === 'call')).toHaveLength(3)
    expect(to.team.notes).toEqual(['worker 00000000 sent a message that cannot be read'])
  })

  it('hears nobody who speaks in the name of another, or of a run that is not its own', async () => {
    const { to, sent, replies, answer } = await coordinator()
    spreadRun(to, work, options()).catch(() => {})
    await settled()
    const [reply = ''] = replies
    const guessed = reply.replace(/[^.]+$/, 'f'.repeat(32))
    const stranger = reply.replace(worker, named('b'))
    const failed = { kind: 'failed', task: '1', reason: 'no' }
    for (const subject of [guessed, stranger]) await answer(failed, subject)
    expect(sent).toEqual(['call'])
    await answer(failed)
    expect(sent).toEqual(['call', 'call'])
  })
})
