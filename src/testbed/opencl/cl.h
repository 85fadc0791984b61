/* The OpenCL interface, in the version that every runtime has. Nothing else includes CL/. */
#ifndef ASSAY_TESTBED_OPENCL_CL_H
#define ASSAY_TESTBED_OPENCL_CL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#endif
