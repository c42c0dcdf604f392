// Who becomes a member of a team, with a server that is made up.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Team } from '../src/coordinator/team.ts'
import { lease } from '../src/schedule/waits.ts'
import { protocol } from '../src/wire/job.ts'
import { type Link, subjectsOf } from '../src/wire/link.ts'
import { encode } from '../src/wire/message.ts'
import type { WorkerInfo } from '../src/worker/worker.ts'

const infoOf = (digit: string, other: Partial<WorkerInfo> = {}): WorkerInfo => ({
  ...{ protocol, id: digit.repeat(32), backend: 'cpu-wasm', name: 'a processor', kind: 'cpu' },
  ...{ precisions: ['f32'], calls: 0, ...other },
})

/** A link on which these workers describe themselves. `hears` gets what takes the messages of those that leave. */
function linkTo(
  workers: readonly WorkerInfo[],
  hears: (take: (_: null, message: { data: Uint8Array }) => void) => void = () => {},
): Link {
  const connection = {
    subscribe(_: string, { callback }: { callback: Parameters<typeof hears>[0] }) {
      hears(callback)
      return { unsubscribe() {} }
    },
    async requestMany() {
      return (async function* () {
        for (const info of workers) yield { data: encode(info) }
      })()
    },
  }
  return { connection, subjects: subjectsOf('default'), partBytes: 1 } as unknown as Link
}

describe('a team', () => {
  it('repeats a proof that did not end, and takes the worker if it ends', async () => {
    let proofs = 0
    const team = new Team(linkTo([infoOf('a')]), 'f32', async () => {
      if (++proofs < 3) throw new Error('the server ended')
      return undefined
    })
    await team.gather()
    expect(team.members.map(({ info }) => info.id)).toEqual(['a'.repeat(32)])
    expect([proofs, team.refused.size]).toEqual([3, 0])
  })

  it('leaves out a worker whose proofs never end, and says why', async () => {
    const team = new Team(linkTo([infoOf('a')]), 'f32', () => Promise.reject(new Error('no right to read')))
    await team.gather()
    expect(team.members).toEqual([])
    expect([...team.refused.values()]).toEqual(['Error: no right to read'])
  })

  it('proves a worker once, although it looks twice at the same time', async () => {
    let proofs = 0
    const team = new Team(linkTo([infoOf('a')]), 'f32', async () => {
      proofs++
      await new Promise((resolve) => setTimeout(resolve, 20))
      return undefined
    })
    await Promise.all([team.look(), team.look()])
    expect([proofs, team.members.length]).toEqual([1, 1])
  })

  it('leaves out workers of another version or without the precision, without a proof', async () => {
    const workers = [infoOf('a', { protocol: 0 }), infoOf('b', { precisions: [] })]
    const team = new Team(linkTo(workers), 'f32', () => Promise.reject(new Error('proved')))
    await team.gather()
    expect([...team.refused.values()]).toEqual([
      expect.stringMatching(/speaks protocol 0.*use one version of manybody everywhere/),
      'its device a processor has no f32',
    ])
  })

  it('knows a worker that leaves for as long as it may have calls', async () => {
    let leave = (_: string) => {}
    const link = linkTo([infoOf('a'), infoOf('b')], (take) => {
      leave = (id) => take(null, { data: encode({ worker: id }) })
    })
    const team = new Team(link, 'f32', async () => undefined)
    await team.gather()
    const [a, b] = ['a'.repeat(32), 'b'.repeat(32)] as [string, string]
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => now.mockRestore())
    team.heard(a)
    leave(a)
    expect([team.size, team.member(a)?.info.id]).toEqual([1, a])
    now.mockReturnValue(performance.now() + lease + 1)
    team.heard(b)
    leave(b)
    expect([team.member(a), team.member(b)?.info.id]).toEqual([undefined, b])
  })

  it('looks for workers more rarely while nobody comes or goes', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => now.mockRestore())
    const team = new Team(linkTo([infoOf('a'), infoOf('b')]), 'f32', async () => undefined)
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
    team.lose('a'.repeat(32))
    expect(team.isTimeToLook(false)).toBe(true)
  })

  it('looks for workers more rarely where there are many', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => now.mockRestore())
    const many = Array.from({ length: 300 }, (_, n) => infoOf('a', { id: n.toString(16).padStart(32, '0') }))
    const team = new Team(linkTo(many), 'f32', async () => undefined)
    await team.gather()
    const isTimeAt = (at: number) => {
      now.mockReturnValue(at)
      return team.isTimeToLook(false)
    }
    expect([isTimeAt(2900), isTimeAt(3100)]).toEqual([false, true])
  })

  it('gives each reason once', async () => {
    const workers = Array.from('abcde', (digit) => infoOf(digit, { protocol: digit === 'e' ? 99 : 0 }))
    const team = new Team(linkTo(workers), 'f32', async () => undefined)
    await team.gather()
    expect(team.reasons).toMatch(/^4 workers: it speaks protocol 0, .*; it speaks protocol 99, /)
  })

  it('gathers nobody where nobody is', async () => {
    const team = new Team(linkTo([]), 'f32', async () => undefined)
    await team.gather()
    expect([team.members.length, team.refused.size]).toEqual([0, 0])
  })
})
