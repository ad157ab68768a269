export const oldest = { major: 24, minor: 15 }

/**
 * Whether that Node runs TypeScript as it is, and all else that we need.
 * @param {string} version such as v24.21.0
 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor)
}
