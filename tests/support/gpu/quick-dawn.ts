// Opens every Dawn of a test process with the features of `quick-features.ts`. For `setupFiles`.

import { vi } from 'vitest'
import { quickFeatures } from './quick-features.ts'

type Driver = typeof import('webgpu')

vi.mock('webgpu', async (load) => {
  const driver = (await load()) as Driver
  const create: Driver['create'] = (flags) => driver.create([quickFeatures, ...(flags ?? [])])
  return { ...driver, create }
})
