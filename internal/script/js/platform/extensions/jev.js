import { refuse, vendorExtension } from "../_vendor.js";

export const jev = vendorExtension("jev");
export default jev;
export const decide = refuse("jev", "decide");
