/**
 * Dawn for the bundle. It replaces the package `webgpu`, so that a machine without packages needs only one file of that
 * package. If no file is named, it uses the package.
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

/** An export of the package that this module replaces. @public */
export function create(flags: string[]): GPU {
  if (!dawn) throw failure
  return dawn.create(flags)
}
