// Halves the time to compile shaders. Dawn leaves out code that SwiftShader compiles slowly. Our shaders must not need that code.
// The tests in browsers and in Deno keep it:
//
// - zeros in workgroup memory, half a second for 256 invocations: a shader reads only values that it wrote;
// - checks of every index, which would hide a read beyond an array.

/** A flag for Dawn. */
export const quickFeatures = 'enable-dawn-features=disable_workgroup_init,disable_robustness'
