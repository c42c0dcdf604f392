// The environment that makes Dawn in Node (`webgpu`) find SwiftShader, a Vulkan driver that runs on the CPU. The loader reads it when a
// process starts: pass it to a child process, and never set it in a running one.

import { join } from 'node:path'
import { unpackedFolder } from './unpacked.ts'

/** Environment variables that make SwiftShader the only Vulkan driver of a new process. */
export interface SoftwareGpuEnvironment {
  readonly LD_LIBRARY_PATH: string
  readonly VK_ICD_FILENAMES: string
}

export async function softwareGpuEnvironment(): Promise<SoftwareGpuEnvironment> {
  const folder = await unpackedFolder()
  return { LD_LIBRARY_PATH: folder, VK_ICD_FILENAMES: join(folder, 'vk_swiftshader_icd.json') }
}
