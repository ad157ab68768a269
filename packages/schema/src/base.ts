// Errors and JSON without the contracts: for packages that are used alone and should not load zod
// and every schema (some 100 ms) to throw an AppError.
export { AppError, type AppErrorOptions, type ErrorCode, errorTable, isAppError } from './errors.ts'
export { isPlainObject, type JsonFault, jsonDepthMax, judgeJson } from './judge-json.ts'
export { type JsonObject, type JsonValue, parseJson } from './parse-json.ts'
export { type ReadJsonOptions, readJson } from './read-json.ts'
