// SwiftShader compiles the zeros that WebGPU writes to workgroup memory twenty times as long as the rest of a shader: half a
// second for 256 invocations. Here Dawn leaves them out, which our shaders must bear, as they read only what they wrote; the
// tests in browsers have them. For `setupFiles`.

import { vi } from 'vitest'

type Driver = typeof import('webgpu')

vi.mock('webgpu', async (load) => {
  const driver = (await load()) as Driver
  const create: Driver['create'] = (flags) =>
    driver.create(['enable-dawn-features=disable_workgroup_init', ...(flags ?? [])])
  return { ...driver, create }
})
