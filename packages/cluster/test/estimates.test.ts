// When a run goes to the workers.

import type { DeviceKind } from '@manybody/core'
import { describe, expect, it } from 'vitest'
import { type Estimate, Estimates } from '../src/coordinator/estimates.ts'
import type { Member } from '../src/coordinator/team.ts'

const worker = (kind: DeviceKind, speed: number, measured = true) => ({ info: { kind }, speed, measured }) as Member
const spreads = (estimate: Estimate | undefined) => estimate !== undefined && estimate.spread < estimate.atHome

describe('an estimate', () => {
  it('needs workers', () => {
    expect(new Estimates('cpu').of(1e9, 0, [])).toBeUndefined()
  })

  it('sends large runs to workers, and small ones nowhere', () => {
    const estimates = new Estimates('cpu')
    const team = [worker('cpu', 1e6), worker('cpu', 1e6)]
    expect(spreads(estimates.of(1e8, 1e5, team))).toBe(true)
    expect(spreads(estimates.of(1e6, 1e5, team))).toBe(false)
    estimates.ranAtHome(1e8, 10)
    expect(spreads(estimates.of(1e8, 1e5, team))).toBe(false)
  })

  it('tries cards that may be as fast as the one at home, after that was measured', () => {
    const estimates = new Estimates('hardware')
    const cards = [worker('hardware', 2e5, false), worker('hardware', 2e5, false)]
    expect(spreads(estimates.of(1e12, 4e6, cards))).toBe(true)
    estimates.ranAtHome(7e10, 24)
    expect(spreads(estimates.of(7e10, 4e6, cards))).toBe(false)
    expect(spreads(estimates.of(1e12, 4e6, cards))).toBe(true)
  })

  it('declines what took longer on the workers than at home, although their devices are fast', () => {
    const estimates = new Estimates('hardware')
    const cards = [worker('hardware', 3e9), worker('hardware', 3e9)]
    const run = () => estimates.of(1e11, 0, cards)
    estimates.ranAtHome(1e11, 40)
    expect(spreads(run())).toBe(true)
    // The first runs do not count, because workers compile.
    for (const took of [900, 900]) estimates.ranSpread(run(), took)
    expect(spreads(run())).toBe(true)
    for (const took of [60, 60, 60]) estimates.ranSpread(run(), took)
    expect(run()?.spread).toBeGreaterThan(50)
    expect(spreads(run())).toBe(false)
  })
})
