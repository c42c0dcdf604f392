// Compiled shaders contain no names of the caller: of attributes, parameters, components, outputs or laws.

import {
  accelerations,
  forces,
  type Interaction,
  map,
  matrix,
  pairPotential,
  pairTerm,
  periodic,
  reduce,
  stencil,
  sum,
} from '@manybody/core'
import { pairBody } from '@manybody/core/expression'
import { expect, test } from 'vitest'
import { elementDesign } from '../src/compile/designs/element-design.ts'
import { naiveSource } from '../src/compile/designs/naive-design.ts'
import { foldOf } from '../src/compile/folds/folds.ts'
import { dialects } from '../src/compile/glsl/dialect.ts'
import { matrixLoop } from '../src/compile/loops/matrix-loop.ts'
import { pairLoop } from '../src/compile/loops/pair-loop.ts'
import { packSources, pairTexts } from '../src/compile/parts/pair-texts.ts'
import { matrixCounts } from '../src/design/counts.ts'

const attributes = '(zqxa_i + zqxa_j)*zqxb_j'
const options = { name: 'zqxlaw', parameters: { zqxp: 1.5, zqxq: 0.5 }, inertia: 'zqxm' }
const energy: Interaction = pairPotential(`zqxp*${attributes}/sqrt(r2 + zqxq^2)`, options)()
const term = pairTerm(
  { zqxc: `zqxp*${attributes} + zqxq*dx`, zqxd: `exp(-zqxq*r2)*zqxb_i` },
  { name: 'zqxlaw', parameters: { zqxp: 1.5, zqxq: 0.5 } },
)()

const space = { dimension: 3, sameSet: true, vectors: ['position'] } as const

test.each([1, 2] as const)('pair loops of WebGL%d', (version) => {
  const domain = { boundary: periodic([9, 9, 9]), cutoff: 4, shift: true, exclusions: [[0, 1]] as const }
  const workloads = [
    accelerations(energy, domain),
    forces(energy),
    sum(term),
    reduce('argmin', energy),
    reduce('logsumexp', energy),
  ]
  for (const workload of workloads) {
    const texts = pairTexts(workload, space, true, dialects[version])
    const loop = pairLoop(workload, texts, foldOf(workload, texts), { targets: 300, sources: 300 })
    for (const pass of [packSources(texts, 300), loop]) expect(JSON.stringify(pass)).not.toContain('zqx')
  }
  const vectors = { ...space, vectors: [], lengths: { zqxv: 9, zqxw: 9 } }
  const kernel = sum(
    pairTerm('exp(-zqxp*sqdist(zqxv_i, zqxw_j))*zqxb_j*norm(zqxw_j)/norm(zqxv_i)', { parameters: { zqxp: 1 } })(),
  )
  const folding = pairTexts(kernel, vectors, false, dialects[version])
  const loop = pairLoop(kernel, folding, foldOf(kernel, folding), { targets: 300, sources: 300 })
  for (const pass of [packSources(folding, 300), loop]) {
    const { textures, glsl } = pass
    expect(JSON.stringify(pass)).not.toContain('zqx')
    expect(glsl).toContain('9 * ')
    expect(textures.join()).not.toContain('Position')
  }
  const texts = pairTexts(matrix(energy), space, true, dialects[version])
  expect(JSON.stringify(matrixLoop(matrix(energy), texts, matrixCounts(4, 300).loop))).not.toContain('zqx')
})

test('the naive loop', () => {
  for (const workload of [accelerations(energy), sum(term)])
    expect(naiveSource(pairBody(workload, space, { guard: true }), 3)).not.toContain('zqx')
})

test('maps and stencils', () => {
  const shape = { dimension: 3, targets: 300, sources: 0, sameSet: true, vectors: ['position', 'zqxv'] } as const
  const parameters = { zqxp: 1.5, zqxq: 0.5 }
  const outputs = { zqxo: 'zqxp*zqxa + zqxq', zqxv: 'zqxv + zqxp*position', zqxw: 'sin(zqxp*zqxv_x) + zqxa^2' }
  const grid = { cells: [3, 4], spacing: 1 }
  for (const workload of [
    map(outputs, parameters),
    stencil({ zqxo: 'zqxp*c + zqxq', zqxw: 'exp(zqxq*xp)' }, grid, parameters),
  ])
    expect(JSON.stringify(elementDesign(workload, shape, dialects[2]).passes)).not.toContain('zqx')
})
