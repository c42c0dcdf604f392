// One rule for every backend: which version of a program a run needs, and that each is made once.

import { expect, test } from 'vitest'
import { pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { guardRule, needsGuard } from '../../src/problem/workloads/bodies/coincident.ts'
import type { Guard } from '../../src/problem/workloads/bodies/guard.ts'
import { Guarded } from '../../src/problem/workloads/bodies/guarded.ts'
import { forces, potentials, sum } from '../../src/problem/workloads/pair.ts'
import { map } from '../../src/problem/workloads/particle.ts'
import type { Workload } from '../../src/problem/workloads/workload.ts'

/** Versions as text, and the guards of all versions made so far. */
function recorded(workload: Workload) {
  const made: Guard[] = []
  const versions = new Guarded(guardRule(workload, { dimension: 3 }), (guard) => {
    made.push(guard)
    return guard ? 'guarded' : 'plain'
  })
  return { made, versions }
}

test('each version is made once, when parameters first need it', () => {
  const { made, versions } = recorded(forces(gravity()))
  expect(made).toEqual([])
  expect(versions.of()).toBe('guarded')
  expect(versions.of({ G: 2, softening: 0 })).toBe('guarded')
  expect(made).toEqual([true])
  expect(versions.of({ G: 2, softening: 0.1 })).toBe('plain')
  expect(versions.of()).toBe('guarded')
  expect(made).toEqual([true, false])
})

test('a parameter that has changed in place decides anew', () => {
  const { versions } = recorded(forces(gravity()))
  const parameters = { G: 2, softening: 0 }
  expect(versions.of(parameters)).toBe('guarded')
  parameters.softening = 0.1
  expect(versions.of(parameters)).toBe('plain')
})

test('derived values are made once for each version', () => {
  const { made, versions } = recorded(forces(gravity()))
  const lengths = versions.map((text) => text.length)
  expect(made).toEqual([])
  expect([lengths.of(), lengths.of({ G: 1, softening: 1 })]).toEqual(['guarded'.length, 'plain'.length])
  versions.of()
  expect(made).toEqual([true, false])
})

test('one decision serves a version and those derived from it', () => {
  let decided = 0
  const rule = {
    parameters: {},
    perPair: false,
    get singular() {
      decided++
      return false
    },
  }
  const versions = new Guarded(rule, () => 'plain')
  const lengths = versions.map((text) => text.length)
  expect([lengths.of({ G: 1 }), versions.of({ G: 1 }), lengths.of({ G: 1 })]).toEqual([5, 'plain', 5])
  expect(decided).toBe(1)
})

test('released versions are forgotten', () => {
  const { made, versions } = recorded(forces(gravity()))
  versions.of()
  expect(versions.release()).toEqual(['guarded'])
  expect(versions.release()).toEqual([])
  versions.of()
  expect(made).toEqual([true, true])
})

test('a forgotten version is made again, and others stay', () => {
  const { made, versions } = recorded(forces(gravity()))
  const plain = { G: 2, softening: 0.1 }
  versions.of()
  versions.of(plain)
  versions.forget('guarded')
  expect([versions.of(plain), versions.of()]).toEqual(['plain', 'guarded'])
  expect(made).toEqual([true, false, true])
})

test('the cutoff is used by default, because it is a parameter of the run', () => {
  // Shifted by its energy at the cutoff, which is infinite at a cutoff of 3.
  const law = pairPotential('1/(9 - r2)')()
  expect(needsGuard(potentials(law, { cutoff: 3, shift: true }), 3)).toBe(true)
  expect(needsGuard(potentials(law, { cutoff: 2, shift: true }), 3)).toBe(false)
})

test('counts read no terms, and maps have no pairs', () => {
  expect(needsGuard(sum(pairTerm('1/r2')()), 3)).toBe(true)
  expect(needsGuard({ ...sum(pairTerm('1/r2')()), reduction: 'count' }, 3)).toBe(false)
  expect(recorded(map({ position: '2*position' })).versions.of()).toBe('plain')
})
