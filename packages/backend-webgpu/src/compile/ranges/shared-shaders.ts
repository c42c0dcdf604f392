/**
 * Shaders that do not depend on the law, made once, so that a device compiles each once.
 *
 * @module
 */
import type { Shader } from '../../design/shader.ts'
import type { BoxSpace } from '../../design/space.ts'

const made = new Map<string, Shader>()

/** Returns the same shader each time. */
export function sharedShader(
  kind: string,
  set: string,
  { dimension, periodic, slab }: BoxSpace,
  make: () => Shader,
): Shader {
  const key = [kind, set, dimension, periodic, slab].join(' ')
  const shader = made.get(key) ?? make()
  made.set(key, shader)
  return shader
}
