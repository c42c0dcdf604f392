import base from '../../tsdown.config.base.ts'

export default {
  ...base,
  entry: [
    'src/index.ts',
    'src/backend-kit.ts',
    'src/expression-kit.ts',
    'src/far-kit.ts',
    'src/judge-kit.ts',
    'src/near-kit.ts',
    'src/run-kit.ts',
    'src/samples-kit.ts',
    'src/shading-kit.ts',
    'src/weights-kit.ts',
  ],
  // The types name AsyncDisposable, which a user's `lib` may lack.
  banner: { dts: '/// <reference lib="esnext.disposable" />' },
}
