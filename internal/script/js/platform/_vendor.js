// Parts of the vendor's hosted services load, so that a project that mounts them
// is listed; using one says that the service is not here.
export const vendorExtension = (service) => (options = {}) => __bdk.mark("extension", { vendor: service, options });

export const refuse = (service, name) => async () => {
  throw new Error(`${name} needs the ${service} service, which is not part of this host`);
};
