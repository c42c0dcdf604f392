// The shaders of a sum with a tolerance, printed: the walk, and the proxies of nodes. tests/gpu checks the results.

import { accelerations, gravity, type Shape } from '@manybody/core'
import { test } from 'vitest'
import { treesOf } from '../../src/compile/designs/tree-designs.ts'
import { shadersOf } from '../../src/design/design.ts'
import { findAdapter } from '../../src/run/host/adapter.ts'
import { openHost } from '../../src/run/host/host.ts'
import { expectShaders } from '../support/printed.ts'

const host = await openHost(await findAdapter({ dawn: ['backend=null'] }))
const shape: Shape = { dimension: 3, targets: 1e5, sources: 1e5, sameSet: true, vectors: ['position'] }

test('the walk and the proxies of gravity match the files', async () => {
  const design = treesOf(accelerations(gravity()), shape, host)?.at({ proxies: 'simplex', opening: 0.5 })
  const shown =
    design && shadersOf(design).filter(({ label }) => /: boxes and moments|: simplices|tolerance$/.test(label))
  await expectShaders(shown ?? [], 'trees/gravity-boxes', 'trees/gravity-simplices', 'trees/gravity-loop')
})
