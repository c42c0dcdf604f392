// The browser has the features that the other tests here rely on: WebGPU, float render targets and threads.

import { expect, test } from 'vitest'

test('WebGPU has the software adapter', async () => {
  const adapter = await navigator.gpu.requestAdapter()
  expect(adapter?.info.architecture).toBe('swiftshader')
})

test('WebGL2 renders to float textures', () => {
  const context = document.createElement('canvas').getContext('webgl2')
  expect(context?.getExtension('EXT_color_buffer_float')).toBeTruthy()
})

test('the page is cross-origin isolated', () => {
  expect(crossOriginIsolated).toBe(true)
})
