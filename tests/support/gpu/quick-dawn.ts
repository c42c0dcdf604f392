// Compiles shaders in half of the time, for `setupFiles`. Dawn leaves out what SwiftShader takes long to compile and our shaders
// must not need, while the tests in browsers and in Deno have it:
//
// - zeros in workgroup memory, half a second for 256 invocations: a shader reads only what it wrote;
// - checks of every index, which would hide a read beyond an array.

import { vi } from 'vitest'

type Driver = typeof import('webgpu')

vi.mock('webgpu', async (load) => {
  const driver = (await load()) as Driver
  const create: Driver['create'] = (flags) =>
    driver.create(['enable-dawn-features=disable_workgroup_init,disable_robustness', ...(flags ?? [])])
  return { ...driver, create }
})
