// Which workers join a team, with a simulated server.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Replies } from '../src/coordinator/replies.ts'
import { Team } from '../src/coordinator/team.ts'
import { lease } from '../src/schedule/waits.ts'
import { protocol } from '../src/wire/job.ts'
import { listen } from '../src/wire/link.ts'
import { decode, encode } from '../src/wire/message.ts'
import { senderIn } from '../src/wire/subjects.ts'
import type { WorkerInfo } from '../src/wire/worker-info.ts'
import { LocalServer, linkWith, named } from './support.ts'

const infoOf = (digit: string, other: Partial<WorkerInfo> = {}): WorkerInfo => ({
  ...{ protocol, id: named(digit), backend: 'cpu-wasm', name: 'a processor', kind: 'cpu' },
  ...{ precisions: ['f32'], calls: 0, ...other },
})

/** A server with these workers. Each describes itself some milliseconds after the question. */
function serverWith(workers: readonly WorkerInfo[], late: (info: WorkerInfo) => number = () => 0) {
  const server = new LocalServer()
  const to = linkWith(server.connection())
  for (const info of workers)
    listen(linkWith(server.connection(), info.id), to.subjects.hellos, ({ subject, data }) => {
      const reply = to.subjects.result(info.id, senderIn(subject), String(decode(data).header.run))
      const answer = () => server.send(reply, encode(info))
      if (late(info) > 0) setTimeout(answer, late(info))
      else answer()
    })
  return { server, to }
}

type Prove = ConstructorParameters<typeof Team>[3]

function teamOf(
  workers: readonly WorkerInfo[],
  prove: Prove = async () => undefined,
  late?: (info: WorkerInfo) => number,
) {
  const { server, to } = serverWith(workers, late)
  return { team: new Team(to, new Replies(to), 'f32', prove), server, to }
}

describe('a team', () => {
  it('repeats a proof that did not end, and takes the worker if it ends', async () => {
    let proofs = 0
    const { team } = teamOf([infoOf('a')], async () => {
      if (++proofs < 3) throw new Error('the server ended')
      return undefined
    })
    await team.gather()
    expect(team.members.map(({ info }) => info.id)).toEqual([named('a')])
    expect([proofs, team.refused.size]).toEqual([3, 0])
  })

  it('leaves out a worker whose proofs never end, and says why', async () => {
    const { team } = teamOf([infoOf('a')], () => Promise.reject(new Error('no right to read')))
    await team.gather()
    expect(team.members).toEqual([])
    expect([...team.refused.values()]).toEqual(['Error: no right to read'])
  })

  it('proves a worker once, although it looks twice at the same time', async () => {
    let proofs = 0
    const { team } = teamOf([infoOf('a')], async () => {
      proofs++
      await new Promise((resolve) => setTimeout(resolve, 20))
      return undefined
    })
    await Promise.all([team.look(), team.look()])
    expect([proofs, team.members.length]).toEqual([1, 1])
  })

  it('leaves out workers of another version or without the precision, without a proof', async () => {
    const workers = [infoOf('a', { protocol: 0 }), infoOf('b', { precisions: [] })]
    const { team } = teamOf(workers, () => Promise.reject(new Error('proved')))
    await team.gather()
    expect([...team.refused.values()]).toEqual([
      expect.stringMatching(/speaks protocol 0.*use one version of manybody everywhere/),
      'its device a processor has no f32',
    ])
  })

  it('knows a worker that leaves for as long as it may have calls', async () => {
    const { team, to, server } = teamOf([infoOf('a'), infoOf('b')])
    const leave = async (id: string) => {
      server.send(to.subjects.leaving(id), new Uint8Array(0))
      await Promise.resolve()
    }
    await team.gather()
    const [a, b] = [named('a'), named('b')] as [string, string]
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => now.mockRestore())
    team.heard(a)
    await leave(a)
    expect([team.size, team.member(a)?.info.id]).toEqual([1, a])
    now.mockReturnValue(performance.now() + lease + 1)
    team.heard(b)
    await leave(b)
    expect([team.member(a), team.member(b)?.info.id]).toEqual([undefined, b])
  })

  it('looks for workers more rarely while nobody comes or goes', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => now.mockRestore())
    const { team } = teamOf([infoOf('a'), infoOf('b')])
    await team.gather()
    const looked: number[] = []
    for (let at = 0; at <= 40_000; at += 100) {
      now.mockReturnValue(at)
      if (!team.isTimeToLook(false)) continue
      looked.push(at)
      await team.look()
    }
    expect(looked).toEqual([2100, 4300, 8700, 17_500, 27_600, 37_700])
    // A run that can use none of them needs others.
    expect([team.isTimeToLook(false), team.isTimeToLook(true)]).toEqual([false, true])
    team.lose(named('a'))
    expect(team.isTimeToLook(false)).toBe(true)
  })

  it('looks for workers more rarely where there are many', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => now.mockRestore())
    const many = Array.from({ length: 300 }, (_, n) => infoOf(n.toString(16)))
    const { team } = teamOf(many)
    await team.gather()
    const isTimeAt = (at: number) => {
      now.mockReturnValue(at)
      return team.isTimeToLook(false)
    }
    expect([isTimeAt(2900), isTimeAt(3100)]).toEqual([false, true])
  })

  it('gives each reason once', async () => {
    const workers = Array.from('abcde', (digit) => infoOf(digit, { protocol: digit === 'e' ? 99 : 0 }))
    const { team } = teamOf(workers)
    await team.gather()
    expect(team.reasons).toMatch(/^4 workers: it speaks protocol 0, .*; it speaks protocol 99, /)
  })

  it('gathers nobody where nobody is', async () => {
    const { team } = teamOf([])
    await team.gather()
    expect([team.members.length, team.refused.size]).toEqual([0, 0])
  })

  it('hears a worker that is far away, beside one that is near', async () => {
    const { team } = teamOf([infoOf('a'), infoOf('b')], undefined, ({ id }) => (id === named('b') ? 400 : 0))
    await team.gather()
    expect(team.size).toBe(1)
    await vi.waitUntil(() => team.size === 2)
  })

  it('begins without those whose proofs do not end, and asks no key twice before others were asked', async () => {
    const asked: string[] = []
    const fakes = Array.from({ length: 300 }, (_, n) => infoOf('', { id: `FAKE.${n.toString(16).padStart(32, '0')}` }))
    const honest = infoOf('', { id: `HONEST.${'a'.repeat(32)}` })
    const { team } = teamOf([...fakes, honest], ({ id }) => {
      asked.push(id)
      return id === honest.id ? Promise.resolve(undefined) : new Promise(() => {})
    })
    const joined = vi.waitUntil(() => team.size === 1, { timeout: 1000 })
    void team.gather()
    await joined
    expect(asked.indexOf(honest.id)).toBeLessThan(2)
  })

  it('is not ended by what anybody sends, and names the sender', async () => {
    const { team, to, server } = teamOf([infoOf('a')])
    const junk = [new Uint8Array(0), Uint8Array.of(1), encode({}), encode({ ...infoOf('b'), name: { toString: 1 } })]
    for (const [n, data] of junk.entries())
      listen(linkWith(server.connection()), to.subjects.hellos, ({ subject, data: hello }) =>
        server.send(to.subjects.result(`KEY${n}.0`, senderIn(subject), String(decode(hello).header.run)), data),
      )
    server.send(to.subjects.leaving('nobody'), Uint8Array.of(1))
    server.send('manybody.default.leaving', Uint8Array.of(1))
    await team.gather()
    expect(team.members.map(({ info }) => info.id)).toEqual([named('a')])
    expect(team.notes).toEqual(junk.map((_, n) => `worker KEY${n}/0 sent 2 messages that cannot be read`))
  })

  it('believes a farewell only of the worker itself', async () => {
    const { team, to, server } = teamOf([infoOf('a')])
    await team.gather()
    server.send(to.subjects.leaving(named('b')), encode({ worker: named('a') }))
    await Promise.resolve()
    expect(team.size).toBe(1)
  })

  it('describes no worker with what a terminal would not print', async () => {
    const { team } = teamOf([infoOf('a', { name: '\u001b[2Ja processor' })])
    await team.gather()
    expect(team.members[0]?.info.name).toBe('?[2Ja processor')
  })
})
