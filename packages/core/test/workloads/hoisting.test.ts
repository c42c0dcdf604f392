// The place of each computation: per run, per target, per source or in the loop, for laws that show each kind.

import { expect, it } from 'vitest'
import { toText } from '../../src/language/infix.ts'
import type { Binding } from '../../src/language/schedule.ts'
import { biotSavart } from '../../src/problem/interactions/biot-savart.ts'
import { coulomb } from '../../src/problem/interactions/coulomb.ts'
import { pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { lennardJones } from '../../src/problem/interactions/lennard-jones.ts'
import { yukawa } from '../../src/problem/interactions/yukawa.ts'
import { type PairBodyOptions, pairBody } from '../../src/problem/workloads/bodies/pair-body.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import { accelerations, forces, sum } from '../../src/problem/workloads/pair.ts'
import type { PairWorkload } from '../../src/problem/workloads/workload.ts'

function listing(workload: PairWorkload, options: PairBodyOptions): string {
  const body = pairBody(workload, { dimension: 3, sameSet: true }, options)
  const stage = (name: string, bindings: readonly Binding[]) =>
    bindings.map((b) => `${name}: ${b.name} = ${toText(b.expr)}`)
  return [
    ...stage('run', body.run),
    ...stage('target', body.target),
    ...stage('source', body.source),
    ...stage('loop', body.loop),
    ...(body.keep ? [`keep: ${toText(body.keep)}`] : []),
    ...body.terms.map((term) => `${body.form === 'radial' ? 'coefficient' : 'term'}: ${toText(term)}`),
    ...(body.scale ? [`scale: ${toText(body.scale)}`] : []),
  ].join('\n')
}

it('gravity is hoisted', () => {
  expect(listing(accelerations(gravity({ softening: 0.1 })), { guard: false })).toMatchInlineSnapshot(`
    "run: p0 = G
    run: p1 = softening * softening
    source: s0 = p0 * mass_j
    loop: dx = xj - xi
    loop: dy = yj - yi
    loop: dz = zj - zi
    loop: e0 = inverseSqrt(p1 + dx * dx + dy * dy + dz * dz)
    coefficient: s0 * e0 * (e0 * e0)"
  `)
})

it('gravity is hoisted with its terms one by one', () => {
  expect(
    listing(accelerations(gravity({ softening: 0.1 })), { guard: false, factorOut: false }),
  ).toMatchInlineSnapshot(`
    "run: p0 = G
    run: p1 = softening * softening
    source: s0 = p0 * mass_j
    loop: dx = xj - xi
    loop: dy = yj - yi
    loop: dz = zj - zi
    loop: e0 = inverseSqrt(p1 + dx * dx + dy * dy + dz * dz)
    coefficient: s0 * e0 * (e0 * e0)"
  `)
})

it('guarded coulomb is hoisted with finite terms, and with terms whose bits are cleared', () => {
  expect(listing(forces(coulomb()), { guard: true, roots: 'sqrt' })).toMatchInlineSnapshot(`
    "run: p0 = -k
    target: t0 = p0 * charge_i
    source: s0 = charge_j
    loop: dx = xj - xi
    loop: dy = yj - yi
    loop: dz = zj - zi
    loop: r2 = dx * dx + dy * dy + dz * dz
    loop: safeR2 = select((0 < r2), r2, 1)
    coefficient: s0 / (safeR2 * sqrt(safeR2))
    scale: t0"
  `)
  expect(listing(forces(coulomb()), { guard: true, masked: true, roots: 'sqrt' })).toMatchInlineSnapshot(`
    "run: p0 = -k
    target: t0 = p0 * charge_i
    source: s0 = charge_j
    loop: dx = xj - xi
    loop: dy = yj - yi
    loop: dz = zj - zi
    loop: r2 = dx * dx + dy * dy + dz * dz
    keep: (0 < r2)
    coefficient: s0 / (r2 * sqrt(r2))
    scale: t0"
  `)
})

it('lennard-jones is hoisted with a switch in a periodic box', () => {
  const workload = forces(lennardJones(), { boundary: periodic([9, 9, 9]), cutoff: 3, switchDistance: 2.5 })
  expect(listing(workload, { guard: true })).toMatchInlineSnapshot(`
    "run: p0 = switchDistance * switchDistance
    run: p1 = 1 / (cutoff - switchDistance)
    run: p2 = cutoff
    run: p3 = -(12 / (cutoff - switchDistance))
    run: p4 = -(6 / (cutoff - switchDistance))
    run: p5 = cutoff * cutoff
    run: p6 = boxX
    run: p7 = 1 / boxX
    run: p8 = boxY
    run: p9 = 1 / boxY
    run: p10 = boxZ
    run: p11 = 1 / boxZ
    target: t0 = 0.5 * sigma_i
    target: t1 = -(4 * sqrt(epsilon_i))
    source: s0 = sqrt(epsilon_j)
    source: s1 = 0.5 * sigma_j
    loop: e0 = xj - xi
    loop: dx = e0 - p6 * round(p7 * e0)
    loop: e1 = yj - yi
    loop: dy = e1 - p8 * round(p9 * e1)
    loop: e2 = zj - zi
    loop: dz = e2 - p10 * round(p11 * e2)
    loop: r2 = dx * dx + dy * dy + dz * dz
    loop: safeR2 = select((0 < r2), r2, 1)
    loop: e3 = s1 + t0
    loop: e4 = inverseSqrt(safeR2)
    loop: e5 = e4 * e4
    loop: e6 = e3 * e3 * e5
    loop: e7 = e6 * e6 * e6
    loop: e8 = (safeR2 <= p0)
    loop: e9 = p2 - safeR2 * e4
    loop: e10 = 10 - p1 * e9 * (15 + p4 * e9)
    loop: e11 = p1 * e9
    keep: (r2 <= p5)
    coefficient: s0 * ((1 - e7) * select(e8, 0, p1 * (p1 * e9 * (15 + p3 * e9) - 3 * e10) * e11 * (e11 * e4)) - 6 * (1 - 2 * e7) * (e5 * select(e8, 1, e10 * e11 * (e11 * e11)))) * e7
    scale: t1"
  `)
})

it('yukawa is hoisted', () => {
  expect(listing(forces(yukawa()), { guard: true })).toMatchInlineSnapshot(`
    "run: p0 = kappa
    run: p1 = -k
    target: t0 = p1 * charge_i
    source: s0 = charge_j
    loop: dx = xj - xi
    loop: dy = yj - yi
    loop: dz = zj - zi
    loop: r2 = dx * dx + dy * dy + dz * dz
    loop: safeR2 = select((0 < r2), r2, 1)
    loop: e0 = inverseSqrt(safeR2)
    coefficient: s0 * (p0 + e0) * e0 * (e0 * exp(-(p0 * safeR2 * e0)))
    scale: t0"
  `)
})

it('biot-savart is hoisted', () => {
  expect(listing(sum(biotSavart({ softening: 0.1 })), { guard: false })).toMatchInlineSnapshot(`
    "run: p0 = softening * softening
    source: s0 = wy_j
    source: s1 = wz_j
    source: s2 = wx_j
    loop: dx = xj - xi
    loop: dy = yj - yi
    loop: dz = zj - zi
    loop: e0 = inverseSqrt(p0 + dx * dx + dy * dy + dz * dz)
    loop: e1 = e0 * e0 * e0
    term: 0.07957747154594767 * (s1 * dy - s0 * dz) * e1
    term: 0.07957747154594767 * (s2 * dz - s1 * dx) * e1
    term: 0.07957747154594767 * (s0 * dx - s2 * dy) * e1"
  `)
})

it('hoisting binds the operands of a condition of parameters, because a binding is a number', () => {
  const law = pairTerm('select(2*choice < 1 && r2 < 4, mass_j, 0)', { parameters: { choice: 0.25 } })()
  expect(listing(sum(law), { guard: false })).toMatchInlineSnapshot(`
    "run: p0 = 2 * choice
    source: s0 = mass_j
    loop: dx = xj - xi
    loop: dy = yj - yi
    loop: dz = zj - zi
    loop: r2 = dx * dx + dy * dy + dz * dz
    term: select(((p0 < 1) && (r2 < 4)), s0, 0)"
  `)
})

it('hoisting computes a positive root directly, because s * inverseSqrt(s) is NaN at 0', () => {
  expect(listing(forces(pairPotential('select(r < 1, 0, r)')()), { guard: false })).toMatchInlineSnapshot(`
    "loop: dx = xj - xi
    loop: dy = yj - yi
    loop: dz = zj - zi
    loop: r2 = dx * dx + dy * dy + dz * dz
    coefficient: select((sqrt(r2) < 1), 0, inverseSqrt(r2))"
  `)
})
