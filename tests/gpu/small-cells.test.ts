// Cells smaller than two cutoffs on WebGPU and WebGL in software.

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { test } from 'vitest'
import { angleContexts } from '../support/angle.ts'
import { expectSmallCells } from '../support/small-cells.ts'

test('all images count on WebGPU', () => expectSmallCells(webgpu(), 'f32'))

test('all images count on WebGL', async () => {
  const context = await angleContexts(2)
  await expectSmallCells(webgl({ context }), 'f32', ['lists'])
})
