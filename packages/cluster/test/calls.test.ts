// Which messages a coordinator accepts as results of a call.

import { describe, expect, it } from 'vitest'
import { Calls, type OpenCall } from '../src/coordinator/calls.ts'
import type { Member } from '../src/coordinator/team.ts'

const member = { info: { id: 'a' } } as Member

function call(size: number) {
  const calls = new Calls()
  const task = calls.begin(member, { first: 0, last: 1 }, { size, again: false })
  const open = calls.of(task, 'a') as OpenCall
  return { calls, open, fill: (at: number, length: number) => calls.fill(open, at, new Uint8Array(length)) }
}

describe('the results of a call', () => {
  it('come in parts, one after the other', () => {
    const { calls, open, fill } = call(5000)
    expect([fill(0, 2000), fill(2000, 2990), fill(4990, 10)]).toEqual([true, true, true])
    expect([open.filled, calls.received, open.parts.map(({ length }) => length)]).toEqual([
      5000,
      5000,
      [2000, 2990, 10],
    ])
  })

  it.each([
    ['leave a gap', 2001, 1024],
    ['come again', 0, 1024],
    ['are more than there can be', 2000, 3001],
    ['are a few bytes of many', 2000, 1023],
    ['are nothing', 2000, 0],
  ])('do not fit if they %s', (_, at, length) => {
    const { open, fill } = call(5000)
    expect([fill(0, 2000), fill(at, length)]).toEqual([true, false])
    expect([open.filled, open.parts.length]).toEqual([2000, 1])
  })

  it('may be empty', () => {
    expect(call(0).fill(0, 0)).toBe(true)
  })
})
