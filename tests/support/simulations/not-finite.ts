// Results that are not finite: the report or an error gives the place and the reason. Every case runs on every backend.

import {
  accelerations,
  anglePotential,
  DivergedError,
  dihedralPotential,
  type Engine,
  energy,
  externalForce,
  externalPotential,
  forces,
  gravity,
  lennardJones,
  map,
  matrix,
  nearest,
  type Precision,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  stencil,
  sum,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

/** A bond that breaks at its reach. */
const breaking = pairPotential('-k*reach^2/2*log(1 - (r/reach)^2)', {
  name: 'breaking bond',
  inertia: 'mass',
  parameters: { k: 30, reach: 2 },
})
const narrow = (engine: AnyEngine) => engine.device.info.precision === 'f32'
const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'it was accepted',
    (error: unknown) => error,
  )
/** Two points at a distance along x, among others that are far away. */
const apart = (distance: number) => ({ position: [90, 0, 0, 0, 0, 0, 0, 70, 0, distance, 0, 0], mass: [1, 1, 1, 1] })

export const notFinite: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'a report names the pair and the operation without a value',
    async (engine) => {
      const near = { cutoff: 10 }
      const { force, report } = await engine.run(forces(breaking(), near), apart(2.5))
      expect(Number.isFinite(force[3] as number) || Number.isFinite(force[9] as number)).toBe(false)
      expect([...force.slice(0, 3), ...force.slice(6, 9)]).toEqual([0, 0, 0, 0, 0, 0])
      expect(report.notes).toHaveLength(1)
      expect(report.notes?.[0]).toMatch(/^"force" of point 1 and 1 more is (NaN|-?Infinity): /)
      expect(report.notes?.[0]).toContain('points 1 and 3, which are 2.5 apart: sqrt(1 - ')
      expect(report.notes?.[0]).toContain('is NaN for an operand of -0.5625')
      const usual = await engine.run(forces(breaking(), near), apart(1.5))
      expect(usual.report.notes, 'a usual run has no note').toBeUndefined()
      await expect(engine.run(energy(breaking(), near), apart(2.5))).rejects.toThrow(
        /^Cannot add up "energy" to a number, got .*points 1 and 3, which are 2.5 apart: log\(1 - /,
      )
    },
  ],
  [
    'a result beyond float32 names the largest term and says what to do',
    async (engine) => {
      // The energy of two stars in joules is 4e41; their accelerations are ordinary numbers.
      const stars = { position: [0, 0, 0, 3e9, 0, 0], mass: [3e30, 6e30] }
      const law = gravity({ G: 6.674e-11 })
      const { acceleration, report } = await engine.run(accelerations(law), stars)
      expect(acceleration[0]).toBeCloseTo((6.674e-11 * 6e30) / 9e18, 3)
      expect(report.notes).toBeUndefined()
      const value = -(6.674e-11 * 3e30 * 6e30) / 3e9
      if (!narrow(engine)) {
        expect((await engine.run(energy(law), stars)).energy / value).toBeCloseTo(1, 12)
        return
      }
      const advice = 'is -4.004e+41, and float32 ends at 3.4e38; use other units or precision "f64"'
      const potential = await engine.run(potentials(law), stars)
      expect(potential.report.notes?.join()).toContain(`points 0 and 1, which are 3000000000 apart, ${advice}`)
      await expect(engine.run(energy(law), stars)).rejects.toThrow(advice)
      const many = { position: [0, 0, 0, 1, 0, 0, 2, 0, 0], weight: [3e38, 3e38, 1] }
      const added = await engine.run(sum(pairTerm('weight_j')()), many)
      expect(added.report.notes?.join()).toMatch(
        /"value" of point 2 is Infinity: the terms add up to 6e\+38, and float32/,
      )
    },
  ],
  [
    'notes name targets, rows, points and cells',
    async (engine) => {
      const two = { targets: { position: [0, 0, 0, 5, 5, 5] }, sources: { position: [1, 0, 0], side: [-1] } }
      const root = pairTerm('side_j^0.5', { name: 'root' })()
      const noteOf = async (run: Promise<{ readonly report: { readonly notes?: readonly string[] } }>) =>
        String((await run).report.notes)
      expect(await noteOf(engine.run(sum(root), two))).toMatch(
        /target 0 and 1 more .* target 0 and source 0, which are 1/,
      )
      const points = { position: [0, 0, 0, 1, 0, 0, 3, 0, 0], side: [1, 1, -1] }
      expect(await noteOf(engine.run(matrix(root), points))).toMatch(/"value" of row 0, column 2 and 1 more is NaN: /)
      expect(await noteOf(engine.run(reduce('logsumexp', root), points))).toContain('points 0 and 2')
      const mapped = engine.run(map({ good: 'x', bad: ['x', 'log(x)'] }), { x: [1, 2, -3] })
      expect(await noteOf(mapped)).toMatch(/^"bad" of point 2 is .*: log\(x\) is NaN for an operand of -3$/)
      const grid = { cells: [4, 3], spacing: [1, 1], origin: [0, 0] }
      const field = Float32Array.from({ length: 12 }, (_, n) => (n === 7 ? -4 : 1))
      expect(await noteOf(engine.run(stencil({ root: 'sqrt(c)' }, grid), { field }))).toMatch(/"root" of cell 7 is /)
    },
  ],
  [
    'infinities that are right answers are not reported',
    async (engine) => {
      const lonely = { position: [0, 0, 0, 50, 0, 0] }
      const near = { cutoff: 1 }
      for (const operation of ['min', 'max', 'argmin', 'argmax', 'logsumexp'] as const) {
        const { value, report } = await engine.run(reduce(operation as 'min', pairTerm('r')(), near), lonely)
        expect([...value].some(Number.isFinite), operation).toBe(false)
        expect(report.notes, operation).toBeUndefined()
      }
      const { report } = await engine.run(nearest(1, { cutoff: 1 }), lonely)
      expect(report.notes).toBeUndefined()
    },
  ],
  [
    'a broken bond has neither a force nor an energy, and the error names it',
    async (engine) => {
      const { position, mass } = apart(2.5)
      const bonds: [number, number][] = [
        [2, 0],
        [3, 1],
      ]
      // The first bond is long and has its own reach.
      const force = { law: breaking(), bonds, attributes: { reach: [500, 2] } }
      const begun = () => engine.simulate({ forces: [force], particles: { position, mass }, dt: 1e-3 })
      const why =
        /breaking bond, .*points (1 and 3|3 and 1) of bond 1, which are 2.5 apart: .* for an operand of -0.5625/
      for (const read of [
        async () => (await begun()).read('acceleration'),
        async () => (await begun()).energy(),
        async () => (await begun()).pressure({ volume: 1 }),
        async () => {
          const simulation = await begun()
          await simulation.step(3)
          return simulation.read('position')
        },
      ]) {
        const error = await failure(read())
        expect(error).toBeInstanceOf(DivergedError)
        expect(String(error)).toMatch(why)
        expect(error).toMatchObject({ finiteSteps: -1 })
      }
    },
  ],
  [
    'a bond that breaks on the way is named with its length then',
    async (engine) => {
      const velocity = [0, 0, 0, 0, 0, 0, 0, 0, 0, 60, 0, 0]
      const force = { law: breaking(), bonds: [[1, 3]] as [number, number][] }
      const particles = { ...apart(1.9), velocity }
      const simulation = await engine.simulate({ forces: [force], particles, dt: 1e-2 })
      await simulation.step(5)
      const error = await failure(simulation.read('velocity'))
      expect(error).toMatchObject({ steps: 5, finiteSteps: 0 })
      expect(String(error)).toMatch(
        /step 1 left the finite numbers: .*of bond 0, which are 2\.\d+ apart.*use a smaller dt/,
      )
    },
  ],
  [
    'angles and external forces outside their domain are named',
    async (engine) => {
      const bend = anglePotential('log(theta - 2)', { name: 'wide', inertia: 'mass' })
      const corner = { position: [1, 0, 0, 0, 0, 0, 0, 1, 0], mass: [1, 1, 1] }
      const angles: [number, number, number][] = [[0, 1, 2]]
      const bent = await engine.simulate({ forces: [{ law: bend(), angles }], particles: corner, dt: 0.01 })
      expect(String(await failure(bent.energy()))).toMatch(
        /wide, the angle of points 0, 1 and 2, which is 1.571, .*-0.4292/,
      )
      const twist = dihedralPotential('log(phi - 2)', { name: 'twisted', inertia: 'mass' })
      const four = { position: [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1], mass: [1, 1, 1, 1] }
      const dihedrals: [number, number, number, number][] = [[0, 1, 2, 3]]
      const turned = await engine.simulate({ forces: [{ law: twist(), dihedrals }], particles: four, dt: 0.01 })
      expect(String(await failure(turned.energy()))).toMatch(
        /twisted, the dihedral of points 0, 1, 2 and 3, which is 1.571, .*-0.4292/,
      )
      const wall = externalPotential('log(position_x + time)', { name: 'wall', inertia: 'mass' })
      const particles = { position: [1, 0, 0, 2, 0, 0, -3, 0, 0], mass: [1, 1, 1] }
      const beyond = await engine.simulate({ forces: [wall()], particles, dt: 0.01 })
      expect(String(await failure(beyond.energy()))).toMatch(/wall, at point 2, .* for an operand of -3/)
      const push = externalForce(['time', '1', '0'], { name: 'push', inertia: 'mass' })
      const pushed = await engine.simulate({ forces: [push(), wall()], particles, dt: 0.01 })
      expect(String(await failure(pushed.read('acceleration')))).toMatch(/in wall, at point 2, .* for an operand of -3/)
      const flat = externalPotential('position_y + level^0.5', { name: 'flat', inertia: 'mass' })
      const level = [1, -4, 1]
      const odd = await engine.simulate({ forces: [flat()], particles: { ...particles, level }, dt: 0.01 })
      await expect(odd.energy()).rejects.toThrow(
        /^Cannot add up the potential energy: that of point 1 is .*; in flat, at point 1, sqrt\(level\) is NaN for an operand of -4/,
      )
    },
  ],
  [
    'sums over points are right where float32 holds no term, and groups must hold all points',
    async (engine) => {
      const [star, speed] = [2e30, 3e4]
      const particles = {
        position: [0, 0, 0, 3e11, 0, 0],
        velocity: [0, -speed, 0, 0, speed, 0],
        mass: [star, star],
      }
      const simulation = await engine.simulate({ law: gravity({ G: 6.674e-11 }), particles, dt: 3600 })
      const near = (got: number, want: number) => expect(Math.abs(got / want - 1)).toBeLessThan(1e-6)
      near((await simulation.angularMomentum())[2] as number, star * speed * 3e11)
      near(await simulation.temperature({ degrees: 1 }), 2 * star * speed ** 2)
      near((await simulation.total({ heat: 'mass*velocity_y^2' })).heat, 2 * star * speed ** 2)
      const grouped = await simulation.total({ heat: 'mass*velocity_y^2' }, { by: 'position_x/3e11', groups: 2 })
      near(grouped.heat[1] as number, star * speed ** 2)
      if (narrow(engine))
        await expect(simulation.energy()).rejects.toThrow(
          /potential energy: .* gravity, .* use other units or precision "f64"/,
        )
      const shells = { position: [0, 0, 0, 1, 0, 0, 7, 0, 0] }
      const by = (text: string) => engine.total({ count: '1' }, shells, { by: text, groups: 3 })
      await expect(by('floor(position_x)')).rejects.toThrow(
        '"by" expected a whole number from 0 to 2 for each point, got 7 for point 2',
      )
      await expect(by('position_x - 1')).rejects.toThrow('got -1 for point 0')
      await expect(by('position_x/2')).rejects.toThrow('got 0.5 for point 1')
      await expect(by('(position_x - 5)^0.5')).rejects.toThrow('got NaN for point 0')
      expect([...(await by('min(position_x, 2)')).count]).toEqual([1, 1, 1])
      await expect(engine.total({ odd: '1/position_x' }, shells)).rejects.toThrow(
        /^"odd" expected .* got Infinity at point 0: 1 \/ position_x is Infinity for an operand of 0/,
      )
    },
  ],
  [
    'forces that name no boundary have that of the others',
    async (engine) => {
      const spring = pairPotential('(r - 1)^2', { inertia: 'mass' })
      const right = anglePotential('theta^2', { inertia: 'mass' })
      const boundary = periodic([8, 8, 8])
      // Points 1 and 0 are 1 apart across a face; the angle at point 0 is a quarter turn.
      const particles = { position: [0.25, 4, 4, 7.25, 4, 4, 0.25, 5, 4], mass: [1, 1, 1] }
      const bonds: [number, number][] = [[0, 1]]
      const angles: [number, number, number][] = [[1, 0, 2]]
      const far = { law: lennardJones({ epsilon: 0, sigma: 1 }), boundary, cutoff: 2 }
      const energyOf = async (...others: object[]) => {
        const simulation = await engine.simulate({ forces: [far, ...others] as never, particles, dt: 0.01 })
        return (await simulation.energy()).potential
      }
      expect(await energyOf({ law: spring(), bonds })).toBeCloseTo(0, 5)
      expect(await energyOf({ law: right(), angles })).toBeCloseTo((Math.PI / 2) ** 2, 5)
      expect(await energyOf(spring())).toBeCloseTo(2 * (Math.SQRT2 - 1) ** 2 - (Math.SQRT2 - 1) ** 2, 4)
      expect(
        await energyOf({ law: spring(), bonds, boundary: { kind: 'open' } }),
        'unless they ask for none',
      ).toBeCloseTo(36, 4)
      const other = { law: spring(), bonds, boundary: periodic([8, 8, 9]) }
      await expect(energyOf(other)).rejects.toThrow(
        '"forces[1].boundary" expected the box of forces[0], 8 x 8 x 8, got 8 x 8 x 9; a system has one box',
      )
      const held = await engine.simulate({ forces: [{ law: spring(), bonds, boundary }], particles, dt: 0.01 })
      expect(await held.pressure(), 'bonds have a box, too').toBeCloseTo(0, 6)
      const again = await engine.resume(await held.snapshot())
      expect((await again.energy()).potential).toBeCloseTo(0, 5)
    },
  ],
]
