export { renderDoctor, runDoctor, toDoctorJson } from './doctor.ts'
