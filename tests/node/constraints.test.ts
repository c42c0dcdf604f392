// Rigid water: the path that LAMMPS gives, and a box that keeps its energy and its temperature through a mesh.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import {
  coulomb,
  createEngine,
  langevin,
  leapfrog,
  lennardJones,
  mesh,
  periodic,
  reference,
  type SimulationOptions,
} from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
import { type Distance, missOf } from '../support/rattle.ts'
import { deep } from '../support/share.ts'

const backends = [cpuWasm({ threadsFrom: 0 })]
const engines = await Promise.all([
  createEngine({ backends, precision: 'f64', threads: 2 }),
  createEngine({ backends: [reference()], precision: 'f64' }),
  createEngine({ backends, precision: 'f32', threads: 2 }),
])
afterAll(() => {
  for (const engine of engines) engine.dispose()
})

// SPC/E water, in nm, ps, u and kJ/mol. H. J. C. Berendsen et al., J. Phys. Chem. 91 (1987) 6269.
const half = (109.47 / 2 / 180) * Math.PI
const [x, y] = [0.1 * Math.cos(half), 0.1 * Math.sin(half)]

/** Molecules on a lattice, the oxygen of each first. */
function water(side: number, spacing: number) {
  const count = side ** 3
  const oxygens = Array.from({ length: count }, (_, n) => 3 * n)
  const position = oxygens.flatMap((_, n) => {
    const at = [n, n / side, n / side ** 2].map((k) => (Math.floor(k) % side) * spacing)
    const [side1, axis] = [n % 3 ? 1 : -1, n % 3]
    const place = (u: number, v: number) =>
      at.map((c, k) => c + (k === axis ? side1 * u : k === (axis + 1) % 3 ? v : 0))
    return [...at, ...place(x, y), ...place(x, -y)]
  })
  const each = (oxygen: number, hydrogen: number) => oxygens.flatMap(() => [oxygen, hydrogen, hydrogen])
  return {
    particles: {
      position,
      ...{ mass: each(15.9994, 1.008), charge: each(-0.8476, 0.4238), sigma: each(0.3166, 0), epsilon: each(0.65, 0) },
    },
    exclusions: oxygens.flatMap((o) => [[o, o + 1], [o, o + 2], [o + 1, o + 2]] as [number, number][]), // biome-ignore format: a list
    distances: oxygens.flatMap((o): Distance[] => [[o, o + 1, 0.1], [o, o + 2, 0.1], [o + 1, o + 2, 2 * y]]), // biome-ignore format: a list
  }
}

/**
 * After 200 steps of 1 fs: `fix nve` and `fix rattle 1e-12 10000 0 b 1 a 1` of LAMMPS (7 Jan 2022), `units lj`, charges times
 * sqrt(138.935458), `pair_style lj/cut/coul/cut 30`, `special_bonds lj/coul 0 0 0`, no boundary.
 */
const places = [
  [0.0602937417194, 0.0495630649522, -0.0338722369145],
  [0.114567602309, -0.0229665153531, -0.0762256079431],
  [-0.0297745137117, 0.013753106126, -0.00926824917966],
  [0.441395191803, -0.0277144413627, 0.0158183399216],
  [0.421529385633, 0.0702706300646, 0.0178860736076],
  [0.413090382129, -0.0692936619716, 0.10224753732],
  [0.00965411353581, 0.403993129473, -0.0295647996504],
  [0.00756599784723, 0.30441605202, -0.0385116101877],
  [-0.0549058682548, 0.444629268241, -0.0942232327987],
  [0.291899752063, 0.243272612751, 0.0500802651109],
  [0.312826905157, 0.276720513177, -0.041807123689],
  [0.224999841183, 0.169183341125, 0.0441488441796],
  [-0.00605541193567, -0.010271816905, 0.376210842021],
  [-0.0486301360697, -0.0883857269809, 0.421879320401],
  [-0.068442182929, 0.0678422996318, 0.378675715791],
  [0.264774952615, -0.0734164572547, 0.224724792138],
  [0.3043759699, -0.0826303774559, 0.31608596061],
  [0.194417561055, -0.00236403882353, 0.225904320804],
  [-0.135587744741, 0.281170542894, 0.305954783732],
  [-0.22131698488, 0.25027879476, 0.347139699446],
  [-0.117704696494, 0.375720211504, 0.333167956113],
  [0.291112153878, 0.335210027614, 0.299636133639],
  [0.255605735185, 0.283434248859, 0.221799362342],
  [0.386242535147, 0.360608584761, 0.282168338855],
].flat()
/** The kinetic and the potential energy after 0, 50, 100, 150 and 200 steps. */
const energies = [
  [17.2066851855, 13.0201668455],
  [160.938956099, -130.845520835],
  [78.5382505676, -48.3374748433],
  [130.126503833, -99.9491421128],
  [141.41135509, -111.269066081],
] as const

describe.each(engines.slice(0, 2).map((engine) => [engine.device.info.backend, engine] as const))('%s', (_, engine) => {
  test('a drop of rigid water moves as in LAMMPS', async () => {
    const { particles, exclusions, distances } = water(2, 0.31)
    const velocity = Array.from({ length: 72 }, (_, n) => 0.4 * Math.sin(7 * Math.floor(n / 9) + (n % 3) + 1))
    await using drop = await engine.simulate({
      particles: { ...particles, velocity },
      forces: [
        { law: coulomb({ k: 138.935458 }), exclusions },
        { law: lennardJones(), exclusions },
      ],
      ...{ constraints: { distances }, dt: 0.001 },
    })
    for (const [n, [kinetic, potential]] of energies.entries()) {
      if (n > 0) await drop.step(50)
      const found = await drop.energy()
      expect(Math.abs(found.kinetic / kinetic - 1)).toBeLessThan(1e-11)
      expect(Math.abs(found.potential / potential - 1)).toBeLessThan(1e-11)
    }
    const position = await drop.read('position')
    const worst = Math.max(...places.map((place, n) => Math.abs(place - (position[n] as number))))
    expect(worst).toBeLessThan(2e-12)
  })
})

describe.each([
  ['f64', engines[0], 1e-7, 1.5e-3],
  ['f32', engines[2], 1e-5, 2e-3],
] as const)('cpu-wasm %s', (precision, engine, tolerance, drifts) => {
  test('a box of rigid water keeps its temperature, then its energy', { timeout: 240_000 }, async () => {
    const side = 3
    const spacing = (18.0154 / 602.214 / 0.998) ** (1 / 3)
    const boundary = periodic([side * spacing, side * spacing, side * spacing])
    const { particles, exclusions, distances } = water(side, spacing)
    const boltzmann = 0.0083144626
    const options: SimulationOptions = {
      particles,
      forces: [
        { law: coulomb({ k: 138.935458 }), method: mesh({ tolerance }), boundary, exclusions },
        { law: lennardJones(), boundary, cutoff: 0.45, switchDistance: 0.4, exclusions },
      ],
      constraints: { distances },
      integrator: langevin({ temperature: 298, friction: 10, boltzmann, seed: 1 }),
      dt: 0.002,
    }
    await using held = await engine.simulate(options)
    await held.step(300)
    let temperature = 0
    for (let n = 0; n < 20; n++) {
      await held.step(20)
      temperature += (await held.temperature({ boltzmann })) / 20
    }
    // 162 degrees of freedom: one sample deviates by 11 %, and a quarter of the samples are new ones.
    expect(Math.abs(temperature / 298 - 1)).toBeLessThan(0.15)
    const { potential } = await held.energy()
    // Liquid: -46.6 kJ/mol per molecule in the source, without its correction for polarisation.
    expect(potential / side ** 3).toBeGreaterThan(-50)
    expect(potential / side ** 3).toBeLessThan(-40)
    await using free = await engine.resume({ ...(await held.snapshot()), integrator: leapfrog, checksum: undefined })
    const totals: number[] = []
    for (let n = 0; n < 11; n++) {
      if (n > 0) await free.step(deep ? 200 : 100)
      totals.push((await free.energy()).total)
    }
    const { kinetic } = await free.energy()
    const spread = Math.max(...totals) - Math.min(...totals)
    expect(spread / kinetic).toBeLessThan(5e-3)
    const drift =
      ((totals.at(-1) as number) + (totals.at(-2) as number) - (totals[0] as number) - (totals[1] as number)) / 2
    expect(Math.abs(drift) / kinetic).toBeLessThan(deep ? 3e-3 : drifts)
    const [position, velocity] = [await free.read('position'), await free.read('velocity')]
    const { length, parting } = missOf({ position, velocity }, { distances, dimension: 3 })
    // Rounding of coordinates up to 2 nm, of legs of 0.1 nm, and of velocities up to 5 nm/ps.
    expect(length).toBeLessThan(precision === 'f64' ? 1e-13 : 1e-5)
    expect(parting).toBeLessThan(precision === 'f64' ? 1e-12 : 1e-5)
  })
})

test('the box of rigid water with a mesh follows the slope of the energy with the volume', {
  timeout: 240_000,
}, async () => {
  const [engine] = engines
  const side = 2
  const spacing = (18.0154 / 602.214 / 0.998) ** (1 / 3)
  const { particles: all, exclusions, distances } = water(side, spacing)
  const { mass, position: start } = all
  const velocity = Array.from({ length: start.length }, (_, n) => 0.5 * Math.sin(5 * n))
  const inBox = (length: number, position: ArrayLike<number>): SimulationOptions => {
    const boundary = periodic([length, length, length])
    return {
      particles: { ...all, position: Float64Array.from(position), velocity },
      forces: [
        { law: coulomb({ k: 138.935458 }), method: mesh({ tolerance: 1e-9 }), boundary, exclusions },
        { law: lennardJones(), boundary, cutoff: 0.29, switchDistance: 0.2, exclusions },
      ],
      constraints: { distances },
      integrator: langevin({ temperature: 0, friction: 0.1, seed: 1 }),
      dt: 0.001,
    }
  }
  /** The coordinates with the centre of each molecule times a factor. */
  const scaled = (array: ArrayLike<number>, factor: number) =>
    Array.from(array, (x, n) => {
      const [first, axis] = [n - (n % 9), n % 3]
      const centre = [0, 1, 2].map((k) => (mass[k] as number) * (array[first + 3 * k + axis] as number))
      return x + ((factor - 1) * centre.reduce((a, b) => a + b)) / (15.9994 + 2 * 1.008)
    })
  const [pressure, compressibility, time] = [50, 1e-4, 0.01]
  const barostat = { pressure, compressibility, time, every: 1, seed: 1 }
  await using simulation = await engine.simulate({ ...inBox(side * spacing, start), barostat })
  const lengthNow = () => (simulation.boundary.kind === 'periodic' ? (simulation.boundary.lengths[0] as number) : 0)
  await simulation.step(1)
  const length = lengthNow()
  // In the box that has changed, a step without the barostat, and the energy of boxes beside it.
  await using still = await engine.resume({
    ...(await simulation.snapshot()),
    barostat: undefined,
    checksum: undefined,
  })
  await still.step(1)
  const [position, speeds] = [await still.read('position'), await still.read('velocity')]
  const energies: number[] = []
  for (const factor of [1 + 1e-4, 1 - 1e-4]) {
    await using beside = await engine.simulate(inBox(factor * length, scaled(position, factor)))
    energies.push((await beside.energy()).potential)
  }
  const twice = scaled(speeds, 2)
  const strain = twice.reduce((sum, v, n) => sum + (mass[Math.floor(n / 3) % 3] as number) * (v - (speeds[n] as number)) ** 2, 0) // biome-ignore format: one sum
  const expected = (strain - ((energies[0] as number) - (energies[1] as number)) / 2e-4) / (3 * length ** 3)
  await using again = await engine.resume(await simulation.snapshot())
  await again.step(1)
  await simulation.step(1)
  expect(again.boundary).toEqual(simulation.boundary)
  const rate = (compressibility * 0.001) / time
  const found = pressure + (2 * ((lengthNow() / length) ** 1.5 - 1)) / rate
  expect(Math.abs(found / expected - 1)).toBeLessThan(1e-6)
})
