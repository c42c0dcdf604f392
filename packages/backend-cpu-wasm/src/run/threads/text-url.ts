/**
 * The address of the text of a worker, for pages. A page that requires Trusted Types takes no plain address for a worker. It
 * must allow the policy `manybody`, which allows this address alone.
 *
 * @module
 */
import { workerText } from './worker-text.ts'

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string | URL }
}

let known: string | URL | undefined

/** A blob URL. A `data:` URL would have another origin, and no memory can be posted there. */
export function textUrl(): string | URL {
  known ??= trusted(URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' })))
  return known
}

function trusted(url: string): string | URL {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  try {
    return trustedTypes?.createPolicy('manybody', { createScriptURL: (given) => given }).createScriptURL(url) ?? url
  } catch {
    // The page allows no policy of this name. If it requires Trusted Types, the worker says so when it fails to start.
    return url
  }
}
