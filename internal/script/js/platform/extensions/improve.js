import { vendorExtension } from "../_vendor.js";

export const improve = vendorExtension("improve");
export default improve;
