/**
 * The versions of a design or shader for the guards against coincident points that runs may need. A law that is singular for
 * some parameters needs several versions.
 *
 * @module
 */
import { type Guard, type GuardRule, guardBy } from '@manybody/core/backend'

export type Versions<T> = { readonly [G in `${Guard}`]?: T }

/** The version for a guard. */
export function versionOf<T>(versions: Versions<T>, guard: Guard): T {
  const version = versions[`${guard}`]
  if (version === undefined) throw new Error(`no version for the guard ${guard}; compile the law again`)
  return version
}

/** The version for the parameters of a run; by default, those of the workload. */
export const versionFor = <T>(
  { versions, guard }: { readonly versions: Versions<T>; readonly guard: GuardRule },
  parameters?: Readonly<Record<string, number>>,
): T => versionOf(versions, guardBy(guard, parameters))
