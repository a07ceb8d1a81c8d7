B
input_meanJKþะโฬ?รว2oพWÝฟ