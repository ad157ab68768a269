// What tests of other rooms need of this one.
export { plainTheme } from './actions/test-shell.ts'
export { testPlace } from './test-place.ts'
