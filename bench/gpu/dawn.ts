/**
 * Dawn for the bundle, in the place of the package `webgpu`: from a file of that package if one is named, so that a machine
 * without packages needs no more than that file, or else from the package.
 */

import { createRequire } from 'node:module'
import { resolve } from 'node:path'

interface Dawn {
  create(flags: string[]): GPU
}

let dawn: Dawn | undefined
let failure: unknown

/** @param file path of `dawn.node` */
export async function loadDawn(file: string | undefined): Promise<void> {
  // A name that the bundler does not follow.
  const installed = 'webgpu'
  try {
    dawn = file === undefined ? await import(installed) : createRequire(import.meta.url)(resolve(file))
  } catch (error) {
    failure = error
  }
}

/** As the package has it, whose place this takes. @public */
export function create(flags: string[]): GPU {
  if (!dawn) throw failure
  return dawn.create(flags)
}
