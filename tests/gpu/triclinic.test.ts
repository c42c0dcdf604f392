// Triclinic boxes on WebGPU and WebGL in software.

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { test } from 'vitest'
import { angleContexts } from '../support/angle.ts'
import { expectTriclinic, expectTriclinicSteps } from '../support/triclinic.ts'

test('boxes may be triclinic on WebGPU', async () => {
  await expectTriclinic(webgpu(), 'f32', { variants: ['blocks'] })
  await expectTriclinicSteps(webgpu(), 'f32')
})

test('boxes may be triclinic on WebGL', async () => {
  const context = await angleContexts(2)
  await expectTriclinic(webgl({ context }), 'f32', { refused: ['lists'] })
  await expectTriclinicSteps(webgl({ context }), 'f32')
})
