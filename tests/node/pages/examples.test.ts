// The examples, run as a reader would run them, but most in one process. Each must print exactly the text below, on any backend, and end.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { patience } from '../../../tools/patience.ts'
import { root } from '../../../tools/pnpm.mjs'
import { saidByEach } from '../../support/said-by-each.ts'

const run = promisify(execFile)
const tsx = join(root, 'node_modules/.bin/tsx')
const alone = { cwd: root, timeout: patience }

const printed: readonly (readonly [example: string, lines: readonly string[], small?: readonly string[]])[] = [
  [
    '01-simplest',
    [
      'The Earth is pulled along x by -2.959e-4 AU per day squared, along y by 0, along z by 0.',
      // Gauss' year: 2 pi divided by his constant.
      'On a circle that makes a year of 365.26 days.',
    ],
  ],
  [
    '02-custom-interaction',
    [
      "parameters: depth; Newton's third law holds: true",
      'r = 1.000: energy 0.000, force -28.000',
      'r = 1.104: energy -1.000, force 0.000',
      'r = 2.000: energy -0.031, force 0.108',
      'ExpressionError: Cannot parse expression: unknown name "sigma"; names in scope: q, dx, dy, dz, r, r2, depth, pi, and any attribute as name_i (target) or name_j (source) (line 1, column 27)',
      '  4*depth*(q^14 - q^7); q = sigma/r',
      '                            ^',
    ],
  ],
  [
    '03-nearest-neighbours',
    [
      'Buenos Aires: Montevideo (203 km), Córdoba (647 km); 3 within 1000 km',
      'Moscow: Nizhniy Novgorod (402 km), Saint Petersburg (634 km); 5 within 1000 km',
      'Nairobi: Kampala (503 km), Dar es Salaam (673 km); 2 within 1000 km',
    ],
  ],
  [
    '04-simulate-a-cluster',
    [
      'start: energy -0.155, twice kinetic over potential 0.96',
      'time 1.00: energy -0.155',
      'energy kept to one part in a thousand: true',
      'resumed from step 50, every bit the same: true',
    ],
  ],
  [
    '05-periodic-box',
    [
      '864 atoms, energy per atom within the cutoff: -8.513 epsilon',
      'with what lies beyond: -8.61 epsilon; lattice sum: -8.61',
      'no atom is pulled anywhere: true',
    ],
  ],
  [
    '06-grid-forces',
    [
      '(0.53, -0.28) is in cell 376: force (-0.531, 0.281)',
      '(-0.70, 0.10) is in cell 548: force (0.719, -0.094)',
      'the Laplacian inside is 2.00, as that of (x^2 + y^2)/2 must be',
    ],
  ],
  [
    '07-graph-layout',
    [
      '64 points, 112 edges; at rest: true',
      'edges are 1.27 to 1.63 long',
      'discs overlap by less than a fifth: true',
      'the mesh has unfolded to a square: its diagonals are 14.4 and 14.6',
    ],
  ],
  ['08-d3-force', ['400 points: all where d3 places them, to a hundredth of a unit: true']],
  [
    '10-lennard-jones-liquid',
    [
      '864 atoms, energy kept to 0.01 of epsilon per atom: true',
      'melting has taken about half of the kinetic energy: true',
      'g(r) is highest from r = 1.1 on: 2.6',
      'an atom has 12 neighbours within 1.5',
    ],
    ['6', '100'],
  ],
  [
    '13-water',
    [
      '64 molecules turn towards each other: kinetic energy 20 to 30 kJ/mol: true',
      'energy kept to a hundredth of that: true',
      'all molecules have their shape to 0.03 nm: true',
    ],
  ],
  [
    '11-boids',
    [
      '1000 boids see 12 others each',
      'at first, a boid and its neighbours agree by 0.0',
      'after 100 steps, they agree by 1.0',
    ],
    ['1000', '100'],
  ],
  [
    '12-nearest-neighbour-graph',
    [
      '20000 points have 160000 edges',
      'the nearest is 0.55 n^(-1/3) away; in theory 0.55',
      '84 % of the edges are mutual',
      'components: 1',
    ],
    ['20000'],
  ],
  [
    'simulations/galaxy-collision',
    [
      '302 points; the centres came within 1.0 at time 5',
      'energy kept to a part in a hundred: true',
      'stars in the tails: true',
    ],
    ['150'],
  ],
  [
    'simulations/ions-in-a-trap',
    [
      '40 ions at the temperature of the thermostat: true',
      'energy 0.92 of that of an even ball',
      '6 ions in the inner shells, 34 in the outermost',
    ],
    ['40'],
  ],
  [
    'simulations/point-vortices',
    [
      'after one turn a vortex is back but for 1e-8',
      'the inner ring overtakes the outer one: true',
      'angular impulse kept: true',
    ],
  ],
  ['simulations/outer-planets', ['after 1000 years the energy is right to 1e-14: true']],
  ['simulations/planetesimals', ['after 1.5 some have merged: true', 'mass kept: true, momentum kept: true']],
  ['simulations/coming-and-going', ['500 points, the oldest of frame 51: true']],
  ['simulations/molten-salt', ['energy kept to a thousandth: true, with forces to 1e-4: true'], ['--steps', '40']],
  [
    'simulations/rigid-water',
    ['a liquid, at -41 to -50 kJ/mol per molecule: true', 'near 298 K: true, with forces to 1e-4: true'],
  ],
  [
    'd3-force/large-graph',
    ['10000 nodes, 9999 links; errors within a hundredth: true', 'fewer than a tenth of the pairs were computed: true'],
    ['10000', '30'],
  ],
]

/** Times and devices, which some examples print as errors. */
const beside: Readonly<Record<string, RegExp>> = {
  '01-simplest': /^ran on .+: .+\n$/,
  '12-nearest-neighbour-graph': /^[\d.]+ s for the graph on .+\n$/,
  'd3-force/large-graph': /^30 ticks: \d+ ms\n.+, threads: .+\n.+ of d3 [\d.]+ ms\n$/,
}

const fileOf = (example: string) => join(root, 'examples', `${example}.ts`)
const said = await saidByEach(printed.map(([example, _, small = []]) => [fileOf(example), ...small]))

test.each(printed.map(([example, lines], n) => [example, lines, n] as const))(
  '%s prints the expected lines',
  (example, lines, n) => {
    const stderr = expect.stringMatching(beside[example] ?? /^$/)
    expect(said[n]).toEqual({ stdout: lines.map((line) => `${line}\n`).join(''), stderr, status: 0 })
  },
)

test('09-loops-by-name prints the loops', async () => {
  const { stdout, stderr } = await run(tsx, [join(root, 'examples/09-loops-by-name.ts')], alone)
  expect(stderr).toBe('')
  const said = /^(simd|pairs-once)\b.*: [\d.]+ ms, error [\d.]+e-[78], at most [\d.]+e-7$/
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => said.exec(line)?.[1]),
  ).toEqual(['simd', 'pairs-once'])
})

test('two-gpus/share-targets shares the targets of one problem between two processes', async () => {
  const { stdout } = await run(tsx, [join(root, 'examples/two-gpus/share-targets.ts')], alone)
  expect(stdout).toMatch(
    /^(half on .+: [\d.]+ ms\n){2}both halves differ from one process by (0e\+0|\de-[678]) of the largest acceleration\n$/,
  )
})
