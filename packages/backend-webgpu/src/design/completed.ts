/**
 * Completes the text of a shader. All declarations are written here, so that text and binding numbers cannot disagree.
 *
 * @module
 */
import { arrayName, type Shader } from './shader.ts'
import { boundArrays, shared } from './shared-arrays.ts'

/** The parts of a shader besides its text. */
export type ShaderParts = Omit<Shader, 'code' | 'memory' | 'subgroups'> & Partial<Shader>

/**
 * Completes a shader: `enable` directives, uniform block, bindings, the functions that it calls, then `body`. It binds only the
 * arrays that the body uses. If these are too many, some share a binding.
 *
 * @param most how many arrays the device binds
 */
export function completed(parts: ShaderParts, text: string, functions = '', most: number = boundArrays): Shader {
  const comment = (note: string | undefined) => (note ? ` // ${oneLine(note)}` : '')
  const words = new Set(text.match(/\w+/g))
  const used = parts.resources.filter(({ key }) => words.has(arrayName(key)))
  const { resources, fields: places, body } = shared(used, text, most)
  const fields = [...parts.fields, ...places]
  const declared = fields.map(({ name, type, note }) => `  ${name}: ${type},${comment(note)}`).join('\n')
  const arrays = resources
    .map(
      ({ key, access, type }, index) =>
        `@group(0) @binding(${index + 1}) var<storage, ${access}> ${arrayName(key)}: array<${type}>;`,
    )
    .join('\n')
  const enables = parts.subgroups ? 'enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n\n' : ''
  const code = `// ${oneLine(parts.label)}
${enables}struct Run {
${declared}
}
@group(0) @binding(0) var<uniform> run: Run;
${arrays}

${functions}${body}`
  return { memory: 0, subgroups: false, ...parts, fields, resources, code }
}

/** Callers choose names, so this removes characters that would end a line comment. */
const oneLine = (text: string) => text.replace(/[^\x20-\x7e]+/g, ' ')
