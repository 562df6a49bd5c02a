import { refuse, vendorExtension } from "../_vendor.js";

const service = "cursor-cloud-agents";
export const cursorCloudAgents = vendorExtension(service);
export default cursorCloudAgents;
export const launchCloudAgent = refuse(service, "launchCloudAgent");
export const getCloudAgent = refuse(service, "getCloudAgent");
export const listCloudAgents = refuse(service, "listCloudAgents");
export const dumpCloudAgent = refuse(service, "dumpCloudAgent");
export const replyToCloudAgent = refuse(service, "replyToCloudAgent");
export const cancelCloudAgent = refuse(service, "cancelCloudAgent");
