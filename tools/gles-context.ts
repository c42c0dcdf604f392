// A GLES context of EGL, called through koffi, as a WebGL context: the object that a caller of `webgl({ context })` would bring in Node. It
// covers the calls of this library and of gpu.js. Methods only pass arguments on. The caller chooses the EGL, the display and the GLES.

import type { LibraryHandle } from 'koffi'
import { type Driver, type Egl, eglOf, type Native } from './egl.ts'
import { constants } from './gles-constants.ts'

export type GlesContext = WebGLRenderingContext | WebGL2RenderingContext

type Method = (...args: never[]) => unknown

/** Returns a new context of WebGL 1 or 2 at each call. */
export function glesContexts(driver: Driver, version: 1 | 2): () => GlesContext {
  const egl = eglOf(driver)
  return () => contextOf(egl, glesOf(driver.gles), version, driver.requests)
}

/** Functions of GLES that WebGL has under the same name, with the same arguments: name, result, parameters. */
const sameAs: readonly (readonly [name: string, result: string, parameters: string])[] = [
  ['activeTexture', 'void', 'uint32_t'],
  ['checkFramebufferStatus', 'uint32_t', 'uint32_t'],
  ['clear', 'void', 'uint32_t'],
  ['clearColor', 'void', 'float, float, float, float'],
  ['copyTexSubImage2D', 'void', 'uint32_t, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t'],
  ['disable', 'void', 'uint32_t'],
  ['drawArrays', 'void', 'uint32_t, int32_t, int32_t'],
  ['enable', 'void', 'uint32_t'],
  ['enableVertexAttribArray', 'void', 'uint32_t'],
  ['finish', 'void', ''],
  ['flush', 'void', ''],
  ['getError', 'uint32_t', ''],
  ['readPixels', 'void', 'int32_t, int32_t, int32_t, int32_t, uint32_t, uint32_t, void*'],
  ['scissor', 'void', 'int32_t, int32_t, int32_t, int32_t'],
  ['texImage2D', 'void', 'uint32_t, int32_t, int32_t, int32_t, int32_t, int32_t, uint32_t, uint32_t, void*'],
  ['texParameteri', 'void', 'uint32_t, uint32_t, int32_t'],
  ['texSubImage2D', 'void', 'uint32_t, int32_t, int32_t, int32_t, int32_t, int32_t, uint32_t, uint32_t, void*'],
  ['texStorage2D', 'void', 'uint32_t, int32_t, uint32_t, int32_t, int32_t'],
  ['vertexAttribPointer', 'void', 'uint32_t, int32_t, uint32_t, bool, int32_t, intptr_t'],
  ['viewport', 'void', 'int32_t, int32_t, int32_t, int32_t'],
  // Functions of WebGL2.
  ['clientWaitSync', 'uint32_t', 'void*, uint32_t, uint64_t'],
  ['deleteSync', 'void', 'void*'],
  ['fenceSync', 'void*', 'uint32_t, uint32_t'],
]

/** Functions that take a WebGL object where GLES takes a number: parameters, `@` for the object, `#` for a location. */
const onObjects: readonly (readonly [name: string, result: string, parameters: string])[] = [
  ['attachShader', 'void', '@, @'],
  ['bindAttribLocation', 'void', '@, uint32_t, str'],
  ['bindBuffer', 'void', 'uint32_t, @'],
  ['bindFramebuffer', 'void', 'uint32_t, @'],
  ['bindRenderbuffer', 'void', 'uint32_t, @'],
  ['bindTexture', 'void', 'uint32_t, @'],
  ['compileShader', 'void', '@'],
  ['deleteProgram', 'void', '@'],
  ['deleteShader', 'void', '@'],
  ['framebufferTexture2D', 'void', 'uint32_t, uint32_t, uint32_t, @, int32_t'],
  ['getAttribLocation', 'int32_t', '@, str'],
  ['isTexture', 'bool', '@'],
  ['linkProgram', 'void', '@'],
  ['uniform1f', 'void', '#, float'],
  ['uniform1i', 'void', '#, int32_t'],
  ['uniform2f', 'void', '#, float, float'],
  ['useProgram', 'void', '@'],
]

interface Gles {
  readonly methods: Record<string, Native>
  readonly func: (prototype: string) => Native
}

let loaded: Gles | undefined

function glesOf(library: LibraryHandle): Gles {
  if (loaded) return loaded
  const func = (prototype: string) => library.func(prototype) as Native
  const native = (name: string) => `gl${name[0]?.toUpperCase()}${name.slice(1)}`
  const methods: Record<string, Native> = {}
  for (const [name, result, parameters] of sameAs) methods[name] = func(`${result} ${native(name)}(${parameters})`)
  for (const [name, result, parameters] of onObjects) {
    const call = func(`${result} ${native(name)}(${parameters.replaceAll(/[@#]/g, 'int32_t')})`)
    const kinds = parameters.split(', ')
    methods[name] = (...args) =>
      call(...args.map((arg, n) => (kinds[n] === '@' ? numberOf(arg) : kinds[n] === '#' ? numberOf(arg, -1) : arg)))
  }
  loaded = { methods, func }
  return loaded
}

/** Represents an object of GLES. gpu.js stores properties on framebuffers and textures. */
interface Named {
  readonly number: number
}

/** The number for no object is 0. For no location it is -1, which WebGL ignores. */
const numberOf = (object: unknown, none = 0): number => (object as Named | null)?.number ?? none

function contextOf(egl: Egl, { methods, func }: Gles, version: 1 | 2, requests: boolean): GlesContext {
  const context = egl.create(version)
  let lost = false
  const live =
    (name: string, method: Native): Native =>
    (...args) => {
      if (lost) return null
      egl.use(context)
      const result = method(...args)
      const error = (methods.getError as Native)()
      // A page would continue, and a later query would return the error.
      if (error !== constants.NO_ERROR) throw new Error(`${name} left WebGL error ${error}`)
      return result
    }
  const extensions = extensionsOf(func, version, requests, () => {
    lost = true
    egl.destroy(context)
  })
  const own = { ...methods, ...objectMethods(func), ...queryMethods(func, version), ...extensions }
  const wrapped = Object.fromEntries(Object.entries(own).map(([name, method]) => [name, live(name, method as Native)]))
  return {
    ...constants,
    ...wrapped,
    isContextLost: () => lost,
    // WebGL1 has one name for RGBA of any type. GLES renders to floats only if the format's name says so.
    texImage2D: live('texImage2D', (target, level, format, width, height, border, ...rest) => {
      const sized = version === 1 && rest[1] === constants.FLOAT ? constants.RGBA32F : format
      return (methods.texImage2D as Native)(target, level, sized, width, height, border, ...rest)
    }),
    clientWaitSync: live('clientWaitSync', (sync, flags, timeout) =>
      (methods.clientWaitSync as Native)(sync, flags, BigInt(timeout as number)),
    ),
  } as unknown as GlesContext
}

/** Methods that make, free and fill objects. */
function objectMethods(func: Gles['func']): Record<string, Method> {
  const several = Object.fromEntries(
    ['Buffer', 'Framebuffer', 'Texture'].flatMap((kind) => {
      const generate = func(`void glGen${kind}s(int32_t, uint32_t*)`)
      const remove = func(`void glDelete${kind}s(int32_t, uint32_t*)`)
      const create = (): Named => {
        const number = new Uint32Array(1)
        generate(1, number)
        return { number: number[0] as number }
      }
      return [
        [`create${kind}`, create],
        [`delete${kind}`, (object: Named | null) => object && remove(1, Uint32Array.of(object.number))],
      ]
    }),
  )
  const shader = func('uint32_t glCreateShader(uint32_t)')
  const program = func('uint32_t glCreateProgram()')
  const attached = func('void glGetAttachedShaders(uint32_t, int32_t, int32_t*, uint32_t*)')
  const source = func('void glShaderSource(uint32_t, int32_t, const char**, int32_t*)')
  const data = func('void glBufferData(uint32_t, int64_t, void*, uint32_t)')
  const part = func('void glBufferSubData(uint32_t, int64_t, int64_t, void*)')
  const drawBuffers = func('void glDrawBuffers(int32_t, uint32_t*)')
  const uniform2 = func('void glUniform2fv(int32_t, int32_t, float*)')
  return {
    ...several,
    // The only request is not to flip uploads. GLES never flips them.
    pixelStorei: () => {},
    createShader: (type: number): Named => ({ number: shader(type) as number }),
    createProgram: (): Named => ({ number: program() as number }),
    getAttachedShaders: (object: Named): Named[] => {
      const [count, numbers] = [new Int32Array(1), new Uint32Array(2)]
      attached(object.number, 2, count, numbers)
      return [...numbers.subarray(0, count[0])].map((number) => ({ number }))
    },
    shaderSource: (object: Named, text: string) => source(object.number, 1, [text], null),
    bufferData: (target: number, content: number | ArrayBufferView, usage: number) =>
      typeof content === 'number'
        ? data(target, content, null, usage)
        : data(target, content.byteLength, content, usage),
    bufferSubData: (target: number, offset: number, content: ArrayBufferView) =>
      part(target, offset, content.byteLength, content),
    drawBuffers: (buffers: readonly number[]) => drawBuffers(buffers.length, Uint32Array.from(buffers)),
    uniform2fv: (location: Named | null, values: ArrayLike<number>) =>
      uniform2(numberOf(location, -1), 1, Float32Array.from(values)),
    getUniformLocation: (() => {
      const locate = func('int32_t glGetUniformLocation(uint32_t, str)')
      return (object: Named, name: string): Named | null => {
        const number = locate(object.number, name) as number
        return number < 0 ? null : { number }
      }
    })(),
  }
}

/** Queries. GLES writes their answers to memory. */
function queryMethods(func: Gles['func'], version: 1 | 2): Record<string, Method> {
  const text = func('str glGetString(uint32_t)')
  const integers = func('void glGetIntegerv(uint32_t, int32_t*)')
  const ofShader = func('void glGetShaderiv(uint32_t, uint32_t, int32_t*)')
  const ofProgram = func('void glGetProgramiv(uint32_t, uint32_t, int32_t*)')
  const shaderLog = func('void glGetShaderInfoLog(uint32_t, int32_t, int32_t*, void*)')
  const programLog = func('void glGetProgramInfoLog(uint32_t, int32_t, int32_t*, void*)')
  const format = func('void glGetShaderPrecisionFormat(uint32_t, uint32_t, int32_t*, int32_t*)')
  const one = (ask: Native, ...args: readonly unknown[]): number => {
    const answer = new Int32Array(4)
    ask(...args, answer)
    return answer[0] as number
  }
  const log = (ask: Native, object: Named): string => {
    const bytes = Buffer.alloc(65536)
    ask(object.number, bytes.length, null, bytes)
    return bytes.toString('utf8', 0, bytes.indexOf(0))
  }
  return {
    getParameter: (name: number) => {
      if (name === constants.VERSION) return `WebGL ${version}.0 (${String(text(name))})`
      if (name === constants.RENDERER || name === unmaskedRenderer) return text(constants.RENDERER)
      return one(integers, name)
    },
    getShaderParameter: (object: Named, name: number) => one(ofShader, object.number, name) !== 0,
    getProgramParameter: (object: Named, name: number) => one(ofProgram, object.number, name) !== 0,
    getShaderInfoLog: (object: Named) => log(shaderLog, object),
    getProgramInfoLog: (object: Named) => log(programLog, object),
    getShaderPrecisionFormat: (shader: number, precision: number) => {
      const range = new Int32Array(2)
      const bits = one((answer) => format(shader, precision, range, answer))
      return { rangeMin: range[0], rangeMax: range[1], precision: bits }
    },
  }
}

const unmaskedRenderer = 0x9246

/** GLES names of extensions that WebGL names differently. */
const nativeNames: Readonly<Record<string, string>> = {
  WEBGL_color_buffer_float: 'CHROMIUM_color_buffer_float_rgba',
  WEBGL_draw_buffers: 'EXT_draw_buffers',
}

function extensionsOf(func: Gles['func'], version: 1 | 2, requests: boolean, lose: () => void): Record<string, Method> {
  const request = requests ? func('void glRequestExtensionANGLE(str)') : undefined
  const names = func('str glGetString(uint32_t)')
  const has = (list: number, name: string) => String(names(list)).split(' ').includes(name)
  const [enabled, requestable] = [0x1f03, 0x93a8]
  return {
    getExtension: (name: string) => {
      if (name === 'WEBGL_lose_context') return { loseContext: lose }
      if (name === 'WEBGL_debug_renderer_info') return { UNMASKED_RENDERER_WEBGL: unmaskedRenderer }
      const native = `GL_${nativeNames[name] ?? name}`
      // It is part of WebGL2.
      if (version === 2 && name === 'OES_texture_float') return null
      if (request && has(requestable, native)) request(native)
      return has(enabled, native) ? { COMPLETION_STATUS_KHR: 0x91b1 } : null
    },
  }
}
