// Workloads over links on WebGPU and WebGL in software.

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { test } from 'vitest'
import { angleContexts } from '../support/angle.ts'
import { expectLinks } from '../support/links.ts'

test('WebGPU sums over links', () => expectLinks(webgpu(), 'f32'))

test('WebGL sums over links', async () => expectLinks(webgl({ context: await angleContexts(2) }), 'f32'))
